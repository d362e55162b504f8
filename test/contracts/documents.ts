import { readFileSync, writeFileSync } from 'node:fs';
import { asyncApiDocument } from '../../apps/gateway/src/documentation/asyncapi.ts';
import { openApiDocument } from '../../apps/gateway/src/documentation/openapi.ts';

/** The documents that are made of the contracts, by the file that they are committed as. */
export const documents = {
  'docs/api/openapi.json': openApiDocument,
  'docs/api/asyncapi.json': asyncApiDocument,
} as const;

/** What is recorded of the schemas. */
export const recordFile = 'docs/api/schemas.json';

/** The JSON of a file. */
export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes a value as JSON. */
export function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
