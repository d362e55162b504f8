import { expect, test } from '@jest/globals';
import type { MappedElement } from './mapped-element.ts';
import { renditionOf } from './rendition.ts';

const link = (attributes: Readonly<Record<string, string>>, text = ''): MappedElement => ({
  format: 'atom',
  name: 'link',
  attributes: new Map(Object.entries(attributes)),
  text,
});
const href = 'https://example.com/milk';

test('an Atom link to the item is the link of RSS', () => {
  expect(renditionOf(link({ href }), false)).toMatchObject({ format: 'rss', name: 'link', text: href });
});

test.each([
  ['without an address', link({})],
  ['with text in it', link({ href }, 'Milk')],
  ['of another relation', link({ href, rel: 'related' })],
  ['to an enclosure without an address', link({ rel: 'enclosure' })],
])('an Atom link %s has no counterpart in RSS', (_name, element) => {
  expect(renditionOf(element, false)).toBeUndefined();
});
