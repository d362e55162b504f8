import { describe, expect, test } from '@jest/globals';
import { digestAccessKey, isSameSecret, makeAccessKey, parseAccessKey } from './access-key-text.ts';
import { isSealedKey, openKey, sealKey } from './seal-key.ts';

const [first, second] = ['A', 'B'].map((letter) => Buffer.alloc(32, letter)) as [Buffer, Buffer];

describe('a key', () => {
  test('has an id and 256 bits, and a further secret for the same id', () => {
    const { id, text } = makeAccessKey();
    expect(text).toMatch(/^fm_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(parseAccessKey(text)).toEqual({ id, text });
    const rotated = makeAccessKey(id);
    expect(rotated.id).toBe(id);
    expect(rotated.text).not.toBe(text);
  });

  test.each(['', 'fm_', 'fm_0123456789abcdef_short', `fm_0123456789ABCDEF_${'A'.repeat(43)}`])(
    'is not "%s"',
    (text) => {
      expect(parseAccessKey(text)).toBeUndefined();
    },
  );

  test('has another digest under another secret of the installation', () => {
    const { text } = makeAccessKey();
    expect(digestAccessKey(first, text)).toBe(digestAccessKey(first, text));
    expect(digestAccessKey(first, text)).not.toBe(digestAccessKey(second, text));
  });

  test('is compared whole', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true);
    for (const other of ['', 'ab', 'abd', 'abcd']) expect(isSameSecret('abc', other)).toBe(false);
  });
});

describe('the key of a command', () => {
  test('is read with the secret that it was encrypted with, and with no other', () => {
    const { text } = makeAccessKey();
    const sealed = sealKey(first, 'command 1', text);
    expect([isSealedKey(sealed), isSealedKey(text)]).toEqual([true, false]);
    expect(sealed).not.toContain(text);
    expect(openKey([second, first], 'command 1', sealed)).toBe(text);
    expect(openKey([second], 'command 1', sealed)).toBeUndefined();
    expect(openKey([first], 'command 1', `${sealed.slice(0, -2)}AA`)).toBeUndefined();
    expect(openKey([first], 'command 1', 'sealed.')).toBeUndefined();
    for (const binding of ['command 2', '']) expect(openKey([first], binding, sealed)).toBeUndefined();
  });
});
