import { describe, expect, test } from '@jest/globals';
import { pathSegment, textOfPathSegment } from './path-segment.ts';

describe('a path segment', () => {
  test.each([
    ['groceries', 'groceries'],
    ['example.org:todo.1', 'example.org%3Atodo.1'],
    ['...', '...'],
    ['Übersicht 1', '%C3%9Cbersicht%201'],
    ["!~*'()", "!~*'()"],
  ])('of the ordinary text %j is %s', (text, segment) => {
    expect(pathSegment(text)).toBe(segment);
  });

  test.each([
    ['', '~'],
    ['.', '~AC4'],
    ['..', '~AC4ALg'],
    ['%2e', '~ACUAMgBl'],
    ['~a', '~AH4AYQ'],
    ['a/b', '~AGEALwBi'],
    ['a\\b', '~AGEAXABi'],
    ['\0', '~AAA'],
    ['\u0085', '~AIU'],
    ['\ud800', '~2AA'],
  ])('of %j is %s', (text, segment) => {
    expect(pathSegment(text)).toBe(segment);
  });

  test('of 4,096 characters is short enough for a request', () => {
    for (const character of ['a', '/', '新', '\ud800'])
      expect(pathSegment(character.repeat(4096)).length).toBeLessThan(11_000);
  });

  test('is read however the text is written', () => {
    for (const [segment, text] of [
      ['a%b', 'a%b'],
      ['a/b', 'a/b'],
      ['~AGE', 'a'],
      ['a~', 'a~'],
    ] as const)
      expect(textOfPathSegment(segment)).toBe(text);
  });

  test.each(['', '.', '..', '~A', '~AAB', '~AC4=', '~AC4A', '~AC 4', '~joe!'])(
    '%j represents no text',
    (segment) => {
      expect(textOfPathSegment(segment)).toBeUndefined();
    },
  );
});
