import { applyDecorators } from '@nestjs/common';
import { ApiBody as ApiNestBody, ApiConsumes } from '@nestjs/swagger';
import { z } from 'zod';

type ApiSchema = Extract<Parameters<typeof ApiNestBody>[0], { schema: unknown }>['schema'];

interface BodyOptions {
  readonly required?: boolean;
  /** The media types of JSON that it may have. */
  readonly json?: readonly string[];
  /** Those of XML. */
  readonly xml?: readonly string[];
}

/** Documents a body whose kind the handler tells apart: JSON by this schema, or XML. */
export function ApiBody(
  schema: z.ZodType,
  { required = true, json = ['application/json'], xml = [] }: BodyOptions = {},
): MethodDecorator {
  return applyDecorators(
    ApiConsumes(...json, ...xml),
    ApiNestBody({
      required,
      schema: z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as ApiSchema,
    }),
  );
}
