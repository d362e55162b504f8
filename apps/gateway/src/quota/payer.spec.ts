import { expect, test } from '@jest/globals';
import { allGrants } from '#core';
import { anyone } from '../access/principal.ts';
import type { Principal } from '../access/principal.ts';
import { payerOf, tenantOfGrants } from './payer.ts';

const keyFor = (...scopes: string[]): Principal => ({
  kind: 'key',
  id: 'one',
  name: 'one',
  grants: scopes.map((collections) => ({ permissions: ['read'], collections })),
});

test.each([
  ['/v1/collections/acme.todo', 'acme'],
  ['/v1/collections/acme.todo/items/a.b', 'acme'],
  ['/V1/Collections/acme%2Etodo/items', 'acme'],
  ['/feeds/acme.todo.atom', 'acme'],
  ['/feeds/acme.todo/complete.rss', 'acme'],
  ['/files/acme.todo/0123.txt', 'acme'],
  ['/feeds/todo.atom', undefined],
  ['/feeds/todo/reader.atom', undefined],
  ['/v1/collections/todo/items/acme.todo', undefined],
  ['/v1/collections/ACME.todo', undefined],
  ['/v1/collections/.todo', undefined],
  ['/v1/keys', undefined],
  ['/', undefined],
])('a request for %s counts for %s if its key is for no tenant', (path, tenant) => {
  expect(payerOf(anyone, path)).toBe(tenant);
  expect(payerOf(keyFor('todo', 'acme.*'), path)).toBe(tenant);
});

test('a key for one tenant pays for all that it requests', () => {
  for (const path of ['/', '/v1/keys', '/feeds/acme.todo.atom', '/v1/collections/todo'])
    expect(payerOf(keyFor('shop.*', 'shop.todo'), path)).toBe('shop');
});

test('who administers all pays nothing, and neither does what is refused without a key', () => {
  const administrator: Principal = { ...keyFor(), grants: allGrants };
  expect(payerOf(administrator, '/v1/collections/acme.todo')).toBeUndefined();
  expect(payerOf(undefined, '/v1/collections/acme.todo')).toBeUndefined();
  expect(payerOf(undefined, '/feeds/acme.todo.atom')).toBe('acme');
  expect(payerOf(undefined, '/files/acme.todo/01')).toBe('acme');
});

test.each([
  [['acme.*'], 'acme'],
  [['acme.todo', 'acme.shop-*'], 'acme'],
  [['acme.todo', 'b.todo'], undefined],
  [['acme.todo', 'todo'], undefined],
  [['acme*'], undefined],
  [[], undefined],
])('the grants for %j are for the tenant %s', (scopes, tenant) => {
  expect(tenantOfGrants(keyFor(...scopes).grants)).toBe(tenant);
});
