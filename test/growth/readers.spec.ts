import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import * as plainFeeds from '#plain-feeds';
import { protocols } from '#protocols';
import * as xml from '#xml';
import { growthCases } from './cases/index.ts';
import { notMeasured } from './not-measured.ts';

/** Folders of functions that take what others have sent. */
const folders: readonly string[] = [
  'libs/core/src/secrets',
  'libs/http-fetch/src',
  ...['access', 'browsers', 'changes', 'files', 'hubs', 'items', 'requests'].map(
    (name) => `apps/gateway/src/${name}`,
  ),
  ...['', 'discovery', 'hubs'].map((name) => join('apps/fetcher/src', name)),
];

/** A function whose first parameter is a text, bytes, anything, or the header of a request. */
const reader =
  /^export (?:async )?function\*? (\w+)\(\s*(?:\w+\??: (?:string|Uint8Array|unknown)\b|\{ headers)/gm;

const functionsOf = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));

function readersIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(reader)])
    .map(([, name = '']) => name);
}

const hooks = [...protocols.values()].flatMap((protocol) => {
  const kind = protocol.structure === 'items' ? 'SharingProtocol' : 'FeedTreeProtocol';
  const adoption = protocol.structure === 'items' ? protocol.adoption : undefined;
  return [
    ...functionsOf(protocol).map((name) => `${kind}.${name}`),
    ...functionsOf(adoption ?? {}).map((name) => `Adoption.${name}`),
  ];
});

const measured = new Set(growthCases.flatMap(({ covers }) => covers));

test.each([
  ['exports of the modules that read markup', functionsOf({ ...xml, ...plainFeeds })],
  ['hooks of the protocols', hooks],
  ['functions that read what others send', folders.flatMap(readersIn)],
])('all %s have a growth test', (_what, names) => {
  expect(names.length).toBeGreaterThan(10);
  expect([...new Set(names)].filter((name) => !measured.has(name) && !notMeasured.has(name))).toEqual([]);
});

test('nothing is left out that is measured', () => {
  expect([...notMeasured].filter((name) => measured.has(name))).toEqual([]);
});
