import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { z } from 'zod';

type ApiSchema = Extract<Parameters<typeof ApiBody>[0], { schema: unknown }>['schema'];

/** Documents a body whose kind the handler tells apart: JSON by this schema, or (unless `json`) an item as XML. */
export function ApiItemBody(schema: z.ZodType, { required = true, json = false } = {}): MethodDecorator {
  const consumed = json ? ['application/json'] : ['application/json', 'application/atom+xml', 'application/rss+xml'];
  return applyDecorators(
    ApiConsumes(...consumed),
    ApiBody({ required, schema: z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as ApiSchema }),
  );
}
