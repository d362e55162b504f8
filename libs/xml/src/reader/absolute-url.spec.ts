import { expect, test } from '@jest/globals';
import { absoluteUrl } from './absolute-url.ts';

test.each([
  ['http://a.example/b', undefined, 'http://a.example/b'],
  [' HTTP://A.example:80/ \n', undefined, 'http://a.example/'],
  ['c?d=e', 'http://a.example/b/', 'http://a.example/b/c?d=e'],
  ['//b.example/x', 'https://a.example/', 'https://b.example/x'],
  [
    'http://a.example/ä ö?q=|{}^`[1]#[2]',
    undefined,
    'http://a.example/%C3%A4%20%C3%B6?q=%7C%7B%7D%5E%60%5B1%5D#%5B2%5D',
  ],
  ['http://a.example/100%', undefined, 'http://a.example/100%25'],
  ['http://a.example/%41%zz', undefined, 'http://a.example/%41%25zz'],
  ['http://[::1]:8080/[x]', undefined, 'http://[::1]:8080/%5Bx%5D'],
  ['urn:isbn:0395363411', undefined, 'urn:isbn:0395363411'],
  ['mailto:a@b.example', undefined, 'mailto:a@b.example'],
])('%j with the base %s is %s', (reference, base, url) => {
  expect(absoluteUrl(reference, base)).toBe(url);
});

test.each([
  '',
  ' ',
  'x/y',
  'http://',
  'javascript:alert(1)',
  'JavaScript:x',
  'data:text/html,x',
  'vbscript:x',
])('%j is none', (reference) => {
  expect(absoluteUrl(reference)).toBeUndefined();
});
