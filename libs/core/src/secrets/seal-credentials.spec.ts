import { describe, expect, test } from '@jest/globals';
import { collectionKey } from '#contracts';
import { CredentialKeysError, parseCredentialKeys } from './credential-keys.ts';
import { headerFieldsOf } from './header-fields.ts';
import { openCredentials, resealCredentials, sealCredentials } from './seal-credentials.ts';

const todo = collectionKey('todo');
const origin = 'https://feeds.example';
const [first, second] = ['A', 'B'].map((letter) => Buffer.alloc(32, letter).toString('base64'));
const old = parseCredentialKeys(`2026:${first}`);
const both = parseCredentialKeys(`2027:${second},2026:${first}`);
const given = { kind: 'basic', username: 'ann', password: 'pässword:1' } as const;

describe('credentials', () => {
  test('are read with the key that they name, and are never the same twice', () => {
    const [sealed, again] = [
      sealCredentials(old, todo, origin, given),
      sealCredentials(old, todo, origin, given),
    ];
    expect(sealed).toMatchObject({ kind: 'basic', origin, key: '2026' });
    expect(JSON.stringify(sealed)).not.toContain('ann');
    expect(sealed.sealed).not.toBe(again.sealed);
    for (const keys of [old, both]) expect(openCredentials(keys, todo, sealed)).toEqual(given);
  });

  test('are encrypted anew under the first key', () => {
    const sealed = resealCredentials(both, todo, sealCredentials(old, todo, origin, given));
    expect(sealed.key).toBe('2027');
    expect(openCredentials(both, todo, sealed)).toEqual(given);
    expect(() => openCredentials(old, todo, sealed)).toThrow(
      expect.objectContaining({
        rule: 'credentials-key',
        message: 'the credentials were encrypted with the key "2027", which CREDENTIALS_KEYS does not have',
      }),
    );
  });

  test('can neither be changed, nor moved to another collection or origin', () => {
    const sealed = sealCredentials(old, todo, origin, given);
    const damaged = expect.objectContaining({ rule: 'credentials-damaged' });
    const bytes = Buffer.from(sealed.sealed, 'base64url');
    for (const place of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      const other = { ...sealed, sealed: changed.toString('base64url') };
      expect(() => openCredentials(old, todo, other)).toThrow(damaged);
    }
    for (const other of [
      { ...sealed, origin: 'https://evil.example' },
      { ...sealed, kind: 'bearer' as const },
      { ...sealed, sealed: '' },
    ])
      expect(() => openCredentials(old, todo, other)).toThrow(damaged);
    expect(() => openCredentials(old, collectionKey('other'), sealed)).toThrow(damaged);
    expect(() => openCredentials(parseCredentialKeys(`2026:${second}`), todo, sealed)).toThrow(damaged);
  });

  test('are not encrypted without a key, and the error names the setting', () => {
    expect(() => sealCredentials([], todo, origin, given)).toThrow(/set CREDENTIALS_KEYS$/);
  });

  test.each([
    [given, { authorization: `Basic ${Buffer.from('ann:pässword:1').toString('base64')}` }],
    [{ kind: 'bearer', token: 'abc.def' } as const, { authorization: 'Bearer abc.def' }],
    [{ kind: 'headers', headers: { 'X-Api-Key': 'k 1' } } as const, { 'x-api-key': 'k 1' }],
  ])('%j become header fields', (credentials, fields) => {
    expect(headerFieldsOf(credentials)).toEqual(fields);
  });
});

describe('keys', () => {
  test.each(['', 'a', `a:${first},`, 'a:AAAA', `A:${first}`, `a:${first},a:${second}`, `a:${first}x`])(
    '"%s" are none',
    (text) => {
      expect(() => parseCredentialKeys(text)).toThrow(CredentialKeysError);
    },
  );

  test('are not repeated by the error', () => {
    expect(() => parseCredentialKeys(`a:${first},b:secret`)).toThrow(/^(?!.*secret).*entry 2 is not$/);
  });
});
