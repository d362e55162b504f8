import { expect, test } from '@jest/globals';
import { strict } from '../../tools/chart/custom-resources.ts';

test('a schema of a custom resource refuses what it does not name, and stays open where it says so', () => {
  const text = { type: 'string' };
  const schema = {
    type: 'object',
    properties: {
      metadata: { type: 'object' },
      spec: {
        type: 'object',
        required: ['minimum'],
        properties: {
          minimum: { type: 'integer' },
          labels: { type: 'object', additionalProperties: text },
          open: { type: 'object', properties: { a: text }, 'x-kubernetes-preserve-unknown-fields': true },
          list: { type: 'array', items: { type: 'object', properties: { properties: text } } },
        },
        anyOf: [{ properties: { minimum: { const: 1 } } }],
      },
    },
  };
  expect(strict(schema)).toEqual({
    ...schema,
    additionalProperties: false,
    properties: {
      metadata: { type: 'object' },
      spec: {
        ...schema.properties.spec,
        additionalProperties: false,
        properties: {
          ...schema.properties.spec.properties,
          list: {
            type: 'array',
            items: { type: 'object', properties: { properties: text }, additionalProperties: false },
          },
        },
      },
    },
  });
});
