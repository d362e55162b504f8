import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';

test('the license that package.json names is there, in its unchanged text', async () => {
  const { license } = JSON.parse(await readFile('package.json', 'utf8')) as { license: string };
  const text = await readFile('LICENSE');
  // Of https://www.apache.org/licenses/LICENSE-2.0.txt
  const digest = 'cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30';
  expect([license, createHash('sha256').update(text).digest('hex')]).toEqual(['Apache-2.0', digest]);
});

test('the changelog has a section for the version of the package, the latest first', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const headings = [...(await readFile('CHANGELOG.md', 'utf8')).matchAll(/^## (\S+)/gm)].map(
    ([, heading]) => heading,
  );
  expect(headings).toContain(version);
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const released = headings.filter((heading) => heading !== undefined && /^\d/.test(heading)) as string[];
  expect(released).toEqual(released.toSorted(compare).reverse());
});
