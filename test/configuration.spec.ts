import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { listServiceSettings } from '#service';
import type { ServiceSetting } from '#service';

/** How the page writes a setting: name, services, default, description. */
function row({ name, services, default: standard, description }: ServiceSetting): string[] {
  const shown = standard === undefined ? 'none' : standard === '' ? 'empty' : `\`${standard}\``;
  return [`\`${name}\``, services.length === 4 ? 'all' : services.join(', '), shown, description];
}

test('docs/configuration.md lists every setting of every service, with its default', async () => {
  const page = await readFile('docs/configuration.md', 'utf8');
  const [, table = ''] = page.split('## Of the services\n');
  const rows = table.split('\n## ')[0]?.match(/^\| `.*$/gm) ?? [];
  expect(rows.map((line) => line.slice(2, -2).split(' | '))).toEqual(listServiceSettings().map(row));
});
