import { describe, expect, test } from '@jest/globals';
import type { Grant } from '#contracts';
import { allGrants, permits, permitsScope, permitsSome } from './grants.ts';

describe('a grant', () => {
  test.each([
    ['todo', { todo: true, todo2: false, 'todo-a': false, 'acme.todo': false }],
    ['todo-*', { todo: false, 'todo-a': true, 'todo-a-b': true, 'acme.todo-a': false }],
    ['acme.*', { 'acme.todo': true, acme: false, 'acme-b.todo': false, todo: false }],
    ['acme*', { acme: true, acme2: true, 'acme.todo': false, 'acme2.todo': false }],
    ['acme.to*', { 'acme.todo': true, 'acme.other': false }],
    ['*', { todo: true, 'acme.todo': true }],
  ])('for %s is for no collection beyond it', (collections, expected) => {
    const grants = [{ permissions: ['read' as const], collections }];
    for (const [name, isPermitted] of Object.entries(expected)) {
      expect([name, permits(grants, 'read', name)]).toEqual([name, isPermitted]);
      expect(permits(grants, 'write', name)).toBe(false);
    }
  });

  test('of admin includes every permission', () => {
    for (const permission of ['feeds', 'read', 'write', 'resolve', 'subscribe', 'publish', 'admin'] as const)
      expect(permits(allGrants, permission, 'acme.todo')).toBe(true);
    const [reading, feeds] = (['read', 'feeds'] as const).map((one) => [
      { permissions: [one], collections: 'todo' },
    ]) as [Grant[], Grant[]];
    expect([permits(reading, 'feeds', 'todo'), permits(feeds, 'read', 'todo')]).toEqual([true, false]);
    expect(permitsSome([{ permissions: ['admin'], collections: 'todo' }], 'resolve')).toBe(true);
    expect(permitsSome([{ permissions: ['read'], collections: '*' }], 'resolve')).toBe(false);
  });

  test.each([
    ['*', '*', true],
    ['*', 'acme.*', true],
    ['acme.*', '*', false],
    ['acme.*', 'acme.*', true],
    ['acme.*', 'acme.todo-*', true],
    ['acme.*', 'acme.todo', true],
    ['acme.*', 'other.*', false],
    ['acme*', 'acme.*', false],
    ['acme*', 'acme2*', true],
    ['todo-*', 'todo*', false],
    ['todo', 'todo*', false],
    ['todo', 'todo', true],
  ])('for %s covers %s: %j', (held, requested, isCovered) => {
    expect(permitsScope([{ permissions: ['admin'], collections: held }], 'read', requested)).toBe(isCovered);
  });
});
