import { beforeAll, describe, expect, test } from '@jest/globals';
import { operations, permissions } from '#contracts';
import type { IssuedKeyView, Operation, Permission } from '#contracts';
import { problemIn } from '../gateway/gateway-under-test.ts';
import { useGateway } from '../gateway/use-gateway.ts';
import { administrator, keysRequired } from '../../support/keys-required.ts';

/** What a key is for, and which of the collections that requests are about are among it. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  todo: ['todo'],
  'acme*': [],
  'todo-*': [],
  'acme.*': ['acme.todo'],
  '*': ['todo', 'acme.todo', 'all'],
};

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly permission?: Permission;
  /** Names of collections, and `all`. */
  readonly scope: readonly string[];
  /** The rule that whatever it sends breaks. */
  readonly refused?: 'unauthenticated' | 'invalid-credentials';
}

const gateway = useGateway(keysRequired);
let callers: Caller[];

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function issue(
  permission: Permission,
  collections: string,
  more = {},
): Promise<Required<IssuedKeyView>> {
  const body = {
    name: `${permission} ${collections}`,
    grants: [{ permissions: [permission], collections }],
    ...more,
  };
  const response = await gateway.send('POST', '/v1/keys', body, bearer(administrator));
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as Required<IssuedKeyView>;
}

beforeAll(async () => {
  const keys = await Promise.all(
    permissions.flatMap((permission) =>
      Object.entries(scopes).map(async ([collections, scope]): Promise<Caller> => {
        const { key } = await issue(permission, collections);
        const basic = Buffer.from(`anybody:${key}`).toString('base64');
        const headers = collections === 'todo' ? { authorization: `basic ${basic}` } : bearer(key);
        return { name: `${permission} for ${collections}`, headers, permission, scope };
      }),
    ),
  );
  const revoked = await issue('admin', '*');
  await gateway.send('DELETE', `/v1/keys/${revoked.id}`, undefined, bearer(administrator));
  const rotated = await issue('admin', '*');
  await gateway.send('POST', `/v1/keys/${rotated.id}/rotate`, { overlapSeconds: 0 }, bearer(administrator));
  const all = { permission: 'admin', scope: ['todo', 'acme.todo', 'all'] } as const;
  const invalid = { scope: [], refused: 'invalid-credentials' } as const;
  callers = [
    ...keys,
    { name: 'the administrator', headers: bearer(administrator), ...all },
    { name: 'no key', headers: {}, scope: [], refused: 'unauthenticated' },
    { name: 'a revoked key', headers: bearer(revoked.key), ...invalid },
    { name: 'a key before its rotation', headers: bearer(rotated.key), ...invalid },
    { name: 'an unknown key', headers: bearer(`fm_0123456789abcdef_${'A'.repeat(43)}`), ...invalid },
    { name: 'another scheme', headers: { authorization: `Digest ${administrator}` }, ...invalid },
    { name: 'a key in a wrong place', headers: { authorization: administrator }, ...invalid },
  ];
});

/** A request for an operation that changes nothing: it names what does not exist, and has no right body. */
function requestFor({ path, method, body }: Operation, collection: string) {
  const values: Readonly<Record<string, string>> = {
    collection,
    format: 'atom',
    letter: `${collection}.none`,
    digest: 'ab'.repeat(32),
    link: '0',
  };
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'none'),
    body: body === undefined || body.isFile === true ? undefined : { nothing: 'of this' },
  };
}

/** What a request for an operation is about: the name of a collection, `all`, or any collection. */
function aboutOf({ path, over }: Operation, collection: string): string | undefined {
  if (over === 'some') return undefined;
  return path.includes('{collection}') || over === 'letter' ? collection : 'all';
}

/** The rule that the declaration has a caller break; undefined if it lets the request through. */
function expectedRule(operation: Operation, caller: Caller, collection: string): string | undefined {
  if (caller.refused === 'invalid-credentials') return caller.refused;
  if (operation.needs === 'nothing') return undefined;
  if (caller.refused !== undefined) return caller.refused;
  const { needs } = operation;
  if (needs === 'key') return undefined;
  const needed = needs === 'metrics' ? 'admin' : needs;
  const about = aboutOf(operation, collection);
  const isPermitted =
    caller.permission === needed ||
    caller.permission === 'admin' ||
    (needed === 'feeds' && caller.permission === 'read');
  const isInScope = about === undefined || caller.scope.includes(about);
  return isPermitted && isInScope ? undefined : 'forbidden';
}

/** The rule that a caller breaks with a request; undefined if it is let in. */
async function ruleOf(operation: Operation, caller: Caller, collection: string): Promise<string | undefined> {
  const { method, path, body } = requestFor(operation, collection);
  const response = await gateway.send(method, path, body, caller.headers);
  if (response.status === 401 || response.status === 403) return (await problemIn(response)).rule;
  await response.body?.cancel();
  return undefined;
}

describe.each(['todo', 'acme.todo'])('a request about the collection %s', (collection) => {
  test.each(Object.entries<Operation>(operations))(
    '%s is for those whom it declares',
    async (_, operation) => {
      const found = await Promise.all(
        callers.map(async (caller) => [
          caller.name,
          (await ruleOf(operation, caller, collection)) ?? 'let in',
        ]),
      );
      const expected = callers.map((caller) => [
        caller.name,
        expectedRule(operation, caller, collection) ?? 'let in',
      ]);
      expect(found).toEqual(expected);
    },
  );
});

test('at least 2,000 cells were tried', () => {
  expect(Object.keys(operations).length * callers.length * 2).toBeGreaterThanOrEqual(2000);
});
