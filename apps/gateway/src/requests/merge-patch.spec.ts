import { describe, expect, test } from '@jest/globals';
import { applyPatch } from './merge-patch.ts';

describe('a merge patch (RFC 7396)', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: ['c', 'd'] }, { a: ['c', 'd'] }],
    [{ a: { b: 'c', d: 'e' } }, { a: { b: 'f', d: null } }, { a: { b: 'f' } }],
    [{ a: 'b' }, { a: { c: null, d: 1 } }, { a: { d: 1 } }],
    [{}, { ['__proto__']: 'x' }, { ['__proto__']: 'x' }],
  ])('%j changed by %j is %j', (object, patch, changed) => {
    expect(applyPatch(object, patch)).toEqual(changed);
  });
});
