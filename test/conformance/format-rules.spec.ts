import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { formatRules } from '#xml';

test('the page of the rules of Atom and RSS has each rule with its section and severity', () => {
  const page = readFileSync('docs/conformance/formats.md', 'utf8');
  const rows = [...page.matchAll(/^\| `([\w-]+)` \| ([^|]+) \| (error|warning) \|/gm)];
  expect(rows.map(([, name, section, severity]) => [name, { section, severity }])).toEqual(
    Object.entries(formatRules),
  );
});
