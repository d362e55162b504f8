import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditEntry } from '#core';
import { run } from '../../apps/cli/src/run.ts';
import { memoryIo } from './memory-io.ts';
import { useGateway } from '../medium/gateway/use-gateway.ts';
import { temporaryFolder } from './temporary-folder.ts';

const AUTH_SECRETS = randomBytes(32).toString('base64');
const gateway = useGateway({ AUTH: 'required', AUTH_SECRETS });
const folder = temporaryFolder();
let key: string;

/** What a command line prints and ends with. */
async function feedmesh(...command: string[]) {
  const environment = {
    FEEDMESH_URL: gateway.url,
    FEEDMESH_KEY: key,
    AUTH_SECRETS,
    MONGODB_URI: gateway.mongodbUri,
  };
  const io = memoryIo({ environment });
  const code = await run(command, io);
  return { code, out: io.out(), err: io.err() };
}

beforeAll(async () => {
  key = '';
  const first = await feedmesh('keys', 'create', 'first', '--grant', 'admin:*', '--database');
  key = first.out.trim();
  const headers = { authorization: `Bearer ${key}` };
  await gateway.send('PUT', '/v1/collections/todo', {}, headers);
  await gateway.send('POST', '/v1/collections/todo/items', { id: 'tea', title: 'Tea' }, headers);
});

test('an item is shown with who has edited it', async () => {
  const { out } = await feedmesh('item', 'todo', 'tea');
  expect(out).toMatch(/^ {2}edited by: first \(key [0-9a-f]{16}\)$/m);
});

test('the log is listed, the key that was written to MongoDB directly among it', async () => {
  const { code, out } = await feedmesh('audit', 'list');
  expect(code).toBe(0);
  expect(out).toMatch(/\tkeys create\t(key [0-9a-f]{16})\t\tdone\t/);
  expect(out).toMatch(
    /\tfirst \(key [0-9a-f]{16}\)\t127\.0\.0\.1\tcreateItem\ttodo\/item tea\t0→1\tdone 201\t/,
  );
  const selected = await feedmesh(
    'audit',
    'list',
    '--collection',
    'todo',
    '--operation',
    'createItem',
    '-o',
    'json',
  );
  expect(JSON.parse(selected.out)).toMatchObject([{ operation: 'createItem', revision: { after: 1 } }]);
  const none = await feedmesh('audit', 'list', '--until', '2020-01-01', '-o', 'json');
  expect(JSON.parse(none.out)).toEqual([]);
});

describe('an exported log', () => {
  const file = () => folder.path('audit.jsonl');
  const entries = async (): Promise<AuditEntry[]> =>
    (await readFile(file(), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
  const write = (all: readonly unknown[]) =>
    writeFile(file(), all.map((entry) => `${JSON.stringify(entry)}\n`).join(''));

  test('is that of the service, and both hold', async () => {
    expect(await feedmesh('audit', 'export', file())).toEqual({ code: 0, out: '', err: '' });
    const service = await feedmesh('audit', 'verify');
    const exported = await feedmesh('audit', 'verify', file());
    expect(service).toEqual(exported);
    expect(service.out).toMatch(
      /^The log holds: \d+ entries in 2 chains\.\n( {2}[0-9a-f]{16} \d+ \S{43} \S+\n){2}$/,
    );
    const printed = await feedmesh('audit', 'export', '-');
    expect(printed.out).toBe(await readFile(file(), 'utf8'));
    const json = await feedmesh('audit', 'verify', file(), '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ holds: true, chains: 2 });
  });

  test.each<[string, (all: AuditEntry[]) => unknown[], RegExp]>([
    [
      'changed',
      (all) => all.with(5, { ...all[5]!, operation: 'other' }),
      /\(changed\): at the entry \S+, its hash/,
    ],
    ['removed', (all) => all.toSpliced(5, 1), /\(removed\): at the entry \S+, the entry before it/],
    ['cut', (all) => all.slice(3), /\(removed\)/],
    ['broken', (all) => [...all, 'no entry'], /\(changed\): at the entry in line \d+, it is no entry/],
  ])('that was %s does not hold', async (_, tamper, message) => {
    await feedmesh('audit', 'export', file());
    await write(tamper(await entries()));
    const { code, out } = await feedmesh('audit', 'verify', file());
    expect([code, out]).toEqual([1, expect.stringMatching(message)]);
  });

  test('can not be read or written where there is none', async () => {
    const missing = folder.path('none/a');
    expect(await feedmesh('audit', 'verify', missing)).toMatchObject({ code: 2 });
    expect(await feedmesh('audit', 'export', missing)).toMatchObject({ code: 2 });
  });
});

test('a log that was changed in MongoDB does not hold', async () => {
  const { audit } = gateway.store;
  const list = audit.list.bind(audit);
  audit.list = async (page) =>
    (await list(page)).map((entry) => (entry.operation === 'createItem' ? { ...entry, status: 200 } : entry));
  try {
    const { code, out } = await feedmesh('audit', 'verify');
    expect([code, out]).toEqual([1, expect.stringContaining('The log does not hold (changed)')]);
  } finally {
    audit.list = list;
  }
});
