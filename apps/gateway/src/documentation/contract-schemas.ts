import { contracts } from '#contracts';
import { z } from 'zod';

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Where the schemas of a document stand. */
const place = '#/components/schemas/';

/**
 * Leaves out what says nothing: a pattern beside the format of a time, the bounds of any safe integer. The
 * text of an integer becomes an integer (`integerText`).
 */
function withoutNoise({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
  if (jsonSchema['format'] === 'starts_with') delete jsonSchema['format'];
  const { integer } = jsonSchema as { integer?: object };
  if (integer !== undefined) {
    for (const name of ['integer', 'pattern', 'format']) delete jsonSchema[name];
    Object.assign(jsonSchema, { type: 'integer', ...integer });
  }
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
}

/**
 * The JSON Schema of every contract, by name; they refer to each other in `#/components/schemas`. An object
 * that is read may have more members than those: new ones come without a new version.
 */
export function contractSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(contracts, {
    io: 'input',
    uri: (id) => `${place}${id}`,
    override: withoutNoise,
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _schema, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** The JSON Schema of a value that is no contract of its own, such as a parameter. */
export function valueSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _schema, ...shown } = z.toJSONSchema(schema, {
    io: 'input',
    override: withoutNoise,
  }) as Record<string, unknown>;
  return shown;
}

/** A contract as a document refers to it. Throws TypeError for a schema that is none. */
export function schemaReference(schema: z.ZodType): { readonly $ref: string } {
  return { $ref: `${place}${contractOf(schema).id}` };
}

/** The name, version and example of a contract. Throws TypeError for a schema that is none. */
export function contractOf(schema: z.ZodType) {
  const contract = contracts.get(schema);
  if (contract === undefined) throw new TypeError('Every body has a contract.');
  return contract;
}

/** Those of the schemas that are reachable from a document. */
export function reachableSchemas(
  document: unknown,
  schemas: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const waiting = [document];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { $ref: reference } = value as { $ref?: unknown };
    const name = typeof reference === 'string' ? reference.slice(place.length) : '';
    const schema = schemas[name];
    if (schema !== undefined && !found.has(name)) {
      found.set(name, schema);
      waiting.push(schema);
    }
    waiting.push(...Object.values(value));
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
