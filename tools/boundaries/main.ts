import { readFileSync, writeFileSync } from 'node:fs';
import { withBoundaries } from './lint-rules.ts';
import { withTable } from './page.ts';
import { modules } from './table.ts';

const lint = '.oxlintrc.json';
const page = 'docs/ARCHITECTURE.md';

const configuration = JSON.parse(readFileSync(lint, 'utf8')) as Record<string, unknown>;
writeFileSync(lint, `${JSON.stringify(withBoundaries(configuration, modules), null, 2)}\n`);
writeFileSync(page, withTable(readFileSync(page, 'utf8'), modules));
