import { describe, expect, test } from '@jest/globals';
import { parseCaseFile } from './parse-case-file.ts';

const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const head = ['title: A case', 'operation: merge'];

/** What the only case of a file holds, with its documents as an object. */
function only(file: string) {
  const [written, ...others] = parseCaseFile(file);
  expect(others).toEqual([]);
  return { properties: written?.properties, documents: Object.fromEntries(written?.documents ?? []) };
}

describe('a file with one case', () => {
  test('has properties, then documents', () => {
    const file = text(...head, '', '--- local.xml', '<rss>', '</rss>', '--- expected.xml', '<rss/>');
    expect(only(file)).toEqual({
      properties: { title: 'A case', operation: 'merge' },
      documents: { 'local.xml': '<rss>\n</rss>\n', 'expected.xml': '<rss/>\n' },
    });
    expect(parseCaseFile(file)[0]).toMatchObject({ text: file });
  });

  test('keeps every character of a document: blank lines, spaces, tabs and apparent properties', () => {
    const document = '\n  \n\ta: b \n--\n==\n\u0300\n\n';
    expect(only(`${text(...head)}--- a b.txt\n${document}--- c.txt\n`).documents).toEqual({
      'a b.txt': document,
      'c.txt': '',
    });
  });

  test('can hold a document without a line feed at its end', () => {
    expect(
      only(text(...head, '--- a.txt', 'one', 'two', '\\ No newline at end of file', '--- b.txt', 'b'))
        .documents,
    ).toEqual({ 'a.txt': 'one\ntwo', 'b.txt': 'b\n' });
  });

  test('has the properties of a step or round below its line, before and between documents', () => {
    expect(
      only(
        text(
          ...head,
          '=== round 1',
          'at: noon',
          '--- 1/a.txt',
          'a',
          '=== round 2',
          'at: night',
          '--- 2/a.txt',
        ),
      ),
    ).toEqual({
      properties: { title: 'A case', operation: 'merge', rounds: [{ at: 'noon' }, { at: 'night' }] },
      documents: { '1/a.txt': 'a\n', '2/a.txt': '' },
    });
    expect(only(text('title: A case', '=== step 1')).properties).toEqual({ title: 'A case', steps: [{}] });
  });
});

describe('a list of cases', () => {
  const list = text(
    'operation: validate',
    '',
    '=== first',
    'title: First',
    '--- input.xml',
    '<a/>',
    '=== second',
    'title: Second',
  );

  test('shares the properties at its head', () => {
    expect(parseCaseFile(list).map(({ name, properties }) => ({ name, properties }))).toEqual([
      { name: 'first', properties: { operation: 'validate', title: 'First' } },
      { name: 'second', properties: { operation: 'validate', title: 'Second' } },
    ]);
  });

  test('gives each case its own lines and documents', () => {
    const [first, second] = parseCaseFile(list);
    expect(first?.text).toBe(text('=== first', 'title: First', '--- input.xml', '<a/>'));
    expect(second?.text).toBe(text('=== second', 'title: Second'));
    expect([...(first?.documents ?? [])]).toEqual([['input.xml', '<a/>\n']]);
    expect(second?.documents.size).toBe(0);
  });
});

describe('a property', () => {
  const valueOf = (...lines: readonly string[]): unknown => only(text(...lines)).properties;

  test.each([
    ['a text as it stands', ['a: b: "c", [d] # e'], { a: 'b: "c", [d] # e' }],
    ['a date', ['a: 2026-01-01T00:00:00Z'], { a: '2026-01-01T00:00:00Z' }],
    ['a number', ['a: -12'], { a: -12 }],
    ['true, false and null', ['a: true', 'b: false', 'c: null'], { a: true, b: false, c: null }],
    ['a quoted text', ['a: "12"', 'b: ""'], { a: '12', b: '' }],
    ['a list over several lines', ['a: [', '  1,', '  2', ']', 'b: x'], { a: [1, 2], b: 'x' }],
    ['an object over several lines', ['a: {', '  "b": 1', '}'], { a: { b: 1 } }],
    ['an object by its dots', ['a.b.c: 1', 'a.b.d: x'], { a: { b: { c: 1, d: 'x' } } }],
    [
      'a list of texts, one a line',
      ['a:', '  3:4 error x', '  5 warning y'],
      { a: ['3:4 error x', '5 warning y'] },
    ],
  ])('can be %s', (_what, lines, expected) => {
    expect(valueOf(...lines)).toEqual(expected);
  });
});

describe('a file is refused', () => {
  test.each([
    ['without a line feed at its end', 'title: A', 'line 1: the last line has no line feed'],
    ['with a carriage return', 'title: A\r\n', 'line 1: the line has a carriage return'],
    ['with a byte order mark', '\uFEFFtitle: A\n', 'line 1: the file starts with a byte order mark'],
    ['for a line that is no property', text(...head, 'more'), 'line 3: expected `key: value`; got `more`'],
    [
      'for a document without its line',
      text(...head, '<rss/>'),
      'line 3: expected `key: value`; got `<rss/>`',
    ],
    ['for a property without a value', text('title:'), 'line 1: the value is missing'],
    ['for a text over several lines', text('title: A', '  case'), 'line 1: a text takes one line'],
    ['for JSON that is none', text('a: [1'), 'line 1: the value is not JSON'],
    ['for a quote that does not end', text('a: "b'), 'line 1: the value is not JSON'],
    ['for a property twice', text('a: 1', 'a: 2'), 'line 2: `a` is given twice'],
    ['for a property twice in an object', text('a: { "b": 1 }', 'a.b: 2'), 'line 2: `a.b` is given twice'],
    ['for a property in what is no object', text('a: 1', 'a.b: 2'), 'line 2: `a.b` is given twice'],
    ['for a property that the list shares', text('a: 1', '=== x', 'a: 1'), 'line 2: `a` is given twice'],
    ['for a document twice', text('--- a', '--- b', '--- a'), 'line 3: the document a is given twice'],
    ['for a section without a name', text('---'), 'line 1: `---` starts a section, but is not one'],
    [
      'for a section with another mark',
      text('--- a', '----'),
      'line 2: `----` starts a section, but is not one',
    ],
    ['for a section without a blank', text('---a'), 'line 1: `---a` starts a section, but is not one'],
    ['for a blank after a name', text('--- a '), 'line 1: `--- a ` starts a section, but is not one'],
    [
      'for a case with a blank in its name',
      text('=== a b'),
      'line 1: `=== a b` starts a section, but is not one',
    ],
    ['for a step out of order', text('=== step 2'), 'line 1: step 2 is given twice or out of order'],
    ['for a step twice', text('=== step 1', '=== step 1'), 'line 2: step 1 is given twice or out of order'],
    ['for steps twice', text('steps: 1', '=== step 1'), 'line 2: step 1 is given twice or out of order'],
    ['for a document before a list', text('--- a', '=== x'), 'line 1: a list starts with a case, `=== NAME`'],
    [
      'for a mark within a document',
      text('--- a', '\\ No newline at end of file', 'b'),
      'line 2: `\\ No newline at end of file` must end the document',
    ],
  ])('%s', (_reason, file, message) => {
    expect(() => parseCaseFile(file)).toThrow(message);
  });
});
