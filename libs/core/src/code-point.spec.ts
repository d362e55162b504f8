import { describe, expect, test } from '@jest/globals';
import { compareCodePoints } from './code-point.ts';

describe('comparing strings (2.1.4)', () => {
  test.each([
    ['a', 'b'],
    ['', 'a'],
    ['a', 'ab'],
    ['B', 'a'],
    ['a', 'é'],
    ['\uff5e', '\u{1f600}'],
    ['x\uff5e', 'x\u{1f600}'],
    ['\u{1f600}', '\u{1f601}'],
    ['\u{1f600}a', '\u{1f600}b'],
    ['\ud83d\uff5e', '\ud83d\ude00'],
    ['\uff5e\u{1f600}', '\u{1f600}\uff5e'],
    ['\ud83d', '\u{1f600}'],
    ['\udc00', '\uff5e'],
  ])('%j sorts before %j, by code points and not by UTF-16 units', (smaller, greater) => {
    expect(compareCodePoints(smaller, greater)).toBeLessThan(0);
    expect(compareCodePoints(greater, smaller)).toBeGreaterThan(0);
  });

  test('equal strings are equal', () => {
    expect(compareCodePoints('\u{1f600}', '\u{1f600}')).toBe(0);
    expect(compareCodePoints('', '')).toBe(0);
  });

  test('upper and lower case differ, and so do composed and decomposed letters', () => {
    expect(compareCodePoints('A', 'a')).not.toBe(0);
    expect(compareCodePoints('\u00e9', 'e\u0301')).not.toBe(0);
  });
});
