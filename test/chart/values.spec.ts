import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { load } from 'js-yaml';
import { listServiceSettings } from '#service';
import { pageFile, writePage } from '../../tools/chart/page.ts';
import { valuesFile, writeValues } from '../../tools/chart/values-file.ts';
import { chartValues, defaultValues, readSchema } from '../../tools/chart/values-schema.ts';

const validate = new Ajv({ strict: false }).compile(readSchema());

/** What the schema of the chart has against values. */
function faultsOf(values: unknown): string[] {
  return validate(values)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test('values.yaml and the page of values are made from the schema (npm run chart -- --write)', async () => {
  const values = chartValues();
  expect(await readFile(valuesFile, 'utf8')).toBe(writeValues(values));
  expect(await readFile(pageFile, 'utf8')).toBe(writePage(values));
});

describe('the schema of the values', () => {
  test('accepts every default, and values.yaml holds the same defaults', async () => {
    expect(faultsOf(defaultValues())).toEqual([]);
    expect(load(await readFile(valuesFile, 'utf8'))).toEqual(defaultValues());
  });

  test('accepts every example', async () => {
    const folder = 'deploy/chart/tests/values';
    for (const file of await readdir(folder))
      expect([file, faultsOf(load(await readFile(join(folder, file), 'utf8')))]).toEqual([file, []]);
  });

  test.each([
    ['an unknown value', { gateway: { replcias: 3 } }, '/gateway must NOT have additional properties'],
    ['a number as a text', { gateway: { replicas: '3' } }, '/gateway/replicas must be integer'],
    ['an address in the settings', { settings: { REDIS_URL: 'redis://a' } }, '/settings must NOT be valid'],
    ['a short digest', { image: { digest: 'sha256:ab' } }, expect.stringContaining('/image/digest')],
  ])('refuses %s', (_what, values, fault) => {
    expect(faultsOf(values)).toContainEqual(fault);
  });
});

test('the chart installs the version of the package', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const chart = load(await readFile('deploy/chart/Chart.yaml', 'utf8'));
  expect(chart).toMatchObject({ version, appVersion: version });
});

test('every setting that the templates make is one of a service', async () => {
  const known = new Set(listServiceSettings().map(({ name }) => name));
  const helpers = await readFile('deploy/chart/templates/_helpers.tpl', 'utf8');
  const made = [...helpers.matchAll(/(?:set \$settings|dict) "([A-Z_]+)"/g)].map(([, name]) => name ?? '');
  expect(made.length).toBeGreaterThan(5);
  for (const server of ['REDIS', 'MONGODB'])
    made.push(...['CA', 'CERT', 'KEY'].map((file) => `${server}_TLS_${file}`));
  expect(made.filter((name) => !name.startsWith('NODE_') && !known.has(name))).toEqual([]);
});
