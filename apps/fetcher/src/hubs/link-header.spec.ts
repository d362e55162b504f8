import { expect, test } from '@jest/globals';
import { parseLinks } from './link-header.ts';

const base = 'https://feeds.example/a/feed';
const hub = 'https://hub.example/';

test.each([
  [`<${hub}>; rel="hub"`, [[hub, 'hub']]],
  [`<${hub}>;rel=hub`, [[hub, 'hub']]],
  [
    `<${hub}>; rel="hub", <${base}>; rel="self"`,
    [
      [hub, 'hub'],
      [base, 'self'],
    ],
  ],
  [`<../b>; REL="Self  HUB"`, [['https://feeds.example/b', 'self', 'hub']]],
  [`<${hub}?a=1,2;3>; title="a, <b>; rel=\\"x\\""; rel=hub`, [[`${hub}?a=1,2;3`, 'hub']]],
  [`<${hub}>; rel=hub; rel=self`, [[hub, 'hub']]],
  [`<${hub}>; rel=hub; anchor="https://other.example/"`, []],
  [`<${hub}>; title=x, <${base}>; rel=self`, [[base, 'self']]],
  [`<https://>; rel=hub, , <${base}>; rel=self`, [[base, 'self']]],
  [`<${hub}>; rel=hub, not a link, <${base}>; rel=self`, [[hub, 'hub']]],
  [`<${hub}>; crossorigin; rel=hub`, [[hub, 'hub']]],
  ['', []],
  ['<', []],
  [`<${hub}>`, []],
])('%s', (field, expected) => {
  expect(parseLinks(field, base).map(({ url, relations }) => [url, ...relations])).toEqual(expected);
});

test('a field of very many odd characters is read at once', () => {
  for (const part of ['<', '<>;', ' ;', ',', '"', ';a="\\', '<a>;x=" ', '<a>; '])
    expect(parseLinks(`<${hub}>; rel=hub${part.repeat(4000)}`, base)[0]?.url).toBe(hub);
});
