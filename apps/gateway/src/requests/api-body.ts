import { applyDecorators } from '@nestjs/common';
import { ApiBody as ApiNestBody, ApiConsumes } from '@nestjs/swagger';
import { z } from 'zod';

type ApiSchema = Extract<Parameters<typeof ApiNestBody>[0], { schema: unknown }>['schema'];

/** Documents a body whose kind the handler tells apart: JSON by this schema, or XML of these media types. */
export function ApiBody(schema: z.ZodType, { required = true, xml = [] }: { readonly required?: boolean; readonly xml?: readonly string[] } = {}): MethodDecorator {
  return applyDecorators(
    ApiConsumes('application/json', ...xml),
    ApiNestBody({ required, schema: z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as ApiSchema }),
  );
}
