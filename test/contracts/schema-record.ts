import { contracts } from '#contracts';
import { createHash } from 'node:crypto';
import { contractSchemas } from '../../apps/gateway/src/documentation/contract-schemas.ts';

/** What is recorded of the schema of a contract: its version, and a hash of what the version describes. */
export interface RecordedSchema {
  readonly version: number;
  /** SHA-256 of the canonical JSON Schema, in hexadecimal. */
  readonly hash: string;
}
export type SchemaRecord = Readonly<Record<string, RecordedSchema>>;

/** The contracts as they are now, by name. */
export function currentRecord(): SchemaRecord {
  const schemas = contractSchemas();
  return Object.fromEntries(
    Object.keys(schemas)
      .toSorted()
      .map((name) => [name, { version: versionOf(name), hash: hashOf(schemas[name]) }]),
  );
}

/** A contract that is not as it is recorded. */
export interface Change {
  /** Whether the change was not announced by a new version to those who rely on the contract. */
  readonly isSilent: boolean;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** Compares contracts with what is recorded of them. Returns those that were changed, added or removed. */
export function changesSince(recorded: SchemaRecord, current: SchemaRecord): Change[] {
  const removed = Object.keys(recorded).filter((name) => current[name] === undefined);
  return [
    ...Object.entries(current).flatMap(([name, schema]) => changeOf(name, schema, recorded[name]) ?? []),
    ...removed.map((name) => ({
      isSilent: true,
      message:
        `The contract ${name} is gone, but someone may rely on it. Before the first release, ` +
        '`npm run contracts -- --unreleased` records that.',
    })),
  ];
}

function changeOf(
  name: string,
  { version, hash }: RecordedSchema,
  known?: RecordedSchema,
): Change | undefined {
  if (known === undefined || version > known.version) {
    const message = `Version ${version} of the contract ${name} is not recorded: run \`npm run contracts\`.`;
    return { isSilent: false, message };
  }
  if (version < known.version)
    return {
      isSilent: true,
      message: `The contract ${name} has version ${version}; it had ${known.version}.`,
    };
  if (hash === known.hash) return undefined;
  const message =
    `The contract ${name} was changed and still has version ${version}. Give it version ${version + 1} ` +
    'where it is registered, and run `npm run contracts`; before the first release, ' +
    '`npm run contracts -- --unreleased` records the change in the same version.';
  return { isSilent: true, message };
}

/** The schema without what only people read, its members in order: equal for schemas that mean the same. */
export function canonicalSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(canonicalSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === 'description' && typeof value === 'string'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, canonicalSchema(value)]),
  );
}

/** SHA-256 of the canonical form of a schema. */
export function hashOf(schema: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonicalSchema(schema)))
    .digest('hex');
}

function versionOf(name: string): number {
  const schema = contracts._idmap.get(name);
  const version = schema === undefined ? undefined : contracts.get(schema)?.version;
  if (version === undefined) throw new TypeError(`There is no contract ${name}.`);
  return version;
}
