import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { makeAccessKey } from '#core';
import { withOpenKey, withoutKey, withRemovedKey, withSealedKey } from './command-keys.ts';

const secrets = { AUTH_SECRETS: [randomBytes(32), randomBytes(32)] };
const job = { id: '7', name: 'edit' };
const { text: key } = makeAccessKey();
const data = { key, collection: 'todo', action: 'create', item: { title: 'Tea' } };

const keyOf = (kept: unknown): string => (kept as { key: string }).key;

describe('the key of a command', () => {
  test('is kept encrypted, and is read for the same command alone', () => {
    const kept = withSealedKey(secrets, job, data);
    expect(JSON.stringify(kept)).not.toContain(key);
    expect(withSealedKey(secrets, job, kept)).toBe(kept);
    expect(withOpenKey(secrets, job, kept)).toEqual(data);
    const others = [
      [{ ...job, id: '8' }, kept],
      [{ ...job, name: 'refresh' }, kept],
      [job, { ...(kept as object), collection: 'other' }],
      [job, { ...(kept as object), item: { title: 'Coffee' } }],
      [job, { ...(kept as object), more: 1 }],
    ] as const;
    for (const [of, copy] of others) {
      expect(keyOf(withOpenKey(secrets, of, copy))).toBe('removed');
      expect(keyOf(withSealedKey(secrets, of, copy))).toBe('removed');
    }
  });

  test('is nothing that is kept without a secret', () => {
    expect(keyOf(withSealedKey({}, job, data))).toBe('removed');
  });

  test('is gone once the command has ended', () => {
    expect(withRemovedKey(data)).toEqual({ ...data, key: 'removed' });
    expect(withoutKey(data)).not.toHaveProperty('key');
    expect(withRemovedKey({ collection: 'todo' })).toEqual({ collection: 'todo' });
  });
});

describe('what is kept of a command', () => {
  test.each([
    [{ key: [key] }, { key: 'removed' }],
    [{ key: null }, { key: 'removed' }],
    [{ Key: key }, { Key: 'removed' }],
    [{ apiKey: 'x' }, { apiKey: 'removed' }],
    [{ authorization: `Bearer ${key}` }, { authorization: 'removed' }],
    [{ more: { deep: [key] } }, { more: 'removed' }],
    [{ subscription: key }, { subscription: 'removed' }],
    [[key], 'removed'],
    [key, 'removed'],
  ])('has no key in %j', (sent, kept) => {
    expect(withSealedKey(secrets, job, sent)).toEqual(kept);
    expect(withRemovedKey(sent)).toEqual(kept);
  });

  test.each([
    { collection: 'todo', item: { title: `a key is ${key}` } },
    { collection: 'todo', mark: 'mine' },
    ['text'],
    'text',
    null,
    undefined,
  ])('is %j as it was sent', (sent) => {
    expect(withSealedKey(secrets, job, sent)).toBe(sent);
  });
});
