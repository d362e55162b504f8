import { existsSync } from 'node:fs';
import { documents, readJson, recordFile, writeJson } from './documents.ts';
import { changesSince, currentRecord } from './schema-record.ts';
import type { SchemaRecord } from './schema-record.ts';

/**
 * Writes the documents that are made of the contracts, and records the schemas. Ends with 1, and records
 * nothing, if a contract was changed without a new version, unless `--unreleased` is given.
 */
function main(): void {
  const current = currentRecord();
  const recorded = existsSync(recordFile) ? (readJson(recordFile) as SchemaRecord) : {};
  const silent = changesSince(recorded, current).filter(({ isSilent }) => isSilent);
  if (silent.length > 0 && !process.argv.includes('--unreleased')) {
    process.stderr.write(silent.map(({ message }) => `${message}\n`).join(''));
    process.exitCode = 1;
    return;
  }
  writeJson(recordFile, current);
  for (const [file, document] of Object.entries(documents)) writeJson(file, document());
}

main();
