import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { finish } from '../steps.ts';
import { withAbsoluteReferences } from './html-references.ts';

const base = 'http://a.example/b/';
const absolute = (html: string): string => finish(withAbsoluteReferences(html, base));

test.each([
  ['<a href="c">x</a>', '<a href="http://a.example/b/c">x</a>'],
  ["<IMG alt='x > y' SRC='/c d.png'>", "<IMG alt='x > y' SRC='http://a.example/c%20d.png'>"],
  ['<a href=c>x', '<a href="http://a.example/b/c">x'],
  ['<img src=c/>', '<img src="http://a.example/b/c/">'],
  ['<a\nhref = "?a=1&amp;b=2"\nclass=x>', '<a\nhref = "http://a.example/b/?a=1&amp;b=2"\nclass=x>'],
  ['<a href="//c.example/">', '<a href="http://c.example/">'],
  ['<a href="x\'y">', '<a href="http://a.example/b/x&#39;y">'],
  [
    '<img srcset="a.png 1x, http://c.example/b.png 2x,  /d.png">',
    '<img srcset="http://a.example/b/a.png 1x, http://c.example/b.png 2x, http://a.example/d.png">',
  ],
  [
    '<video poster=p.png><source src=v.mp4 type=x></video>',
    '<video poster="http://a.example/b/p.png"><source src="http://a.example/b/v.mp4" type=x></video>',
  ],
  ['<!-- <a href="c"> --><a href="d">', '<!-- <a href="c"> --><a href="http://a.example/b/d">'],
  [
    '<script>x = "<a href=c>"</script><a href=d>',
    '<script>x = "<a href=c>"</script><a href="http://a.example/b/d">',
  ],
])('%s', (html, expected) => {
  expect(absolute(html)).toBe(expected);
});

test.each([
  '<a href="#note">',
  '<a href="http://c.example/?a&b">',
  '<a href="mailto:x@c.example">',
  '<a href="">',
  '<p title="a=b href=c">',
  'a < b href="c"',
  '<a href="c',
  '<!-- <a href="c">',
  '<',
  '</a href="c">'.replace('/a', '/ a'),
  '<a href>',
  '<a =x>',
  '',
])('leaves %s alone', (html) => {
  expect(absolute(html)).toBe(html);
});

test('takes any text, and finds nothing more the second time', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '=',
    ' ',
    '/',
    'a',
    'href',
    'src',
    'srcset',
    'img',
    'script',
    '</script',
    '<!--',
    '-->',
    'c',
    '&amp;',
    '\n',
    '#',
    ',',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const once = absolute(pieces.join(''));
      expect(absolute(once)).toBe(once);
    }),
  );
});

test.each(['<a "', '<a \'"', '<a href=', '<!--', '<script', '<a href="', '< ', '<a b=c '])(
  'takes a million characters of %j in time that grows with them',
  (piece) => {
    const html = piece.repeat(1_000_000 / piece.length);
    expect(absolute(html).length).toBeGreaterThanOrEqual(html.length);
  },
);
