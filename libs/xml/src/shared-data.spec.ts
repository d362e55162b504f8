import { expect, test } from '@jest/globals';
import { readPayload } from './payload-reading.ts';
import { defaultSharedElements, sharedPayload } from './shared-data.ts';

const shared = (xml: string, elements = defaultSharedElements) =>
  sharedPayload(readPayload(xml), elements).children.map((child) => child.xml);
const entry = (inside: string) => `<entry xmlns="http://www.w3.org/2005/Atom">${inside}</entry>`;

test("the data that endpoints share of an Atom entry stays, and what is its publisher's goes", () => {
  const kept = [
    '<title>T</title>',
    '<content>C</content>',
    '<summary>S</summary>',
    '<category term="c"/>',
    '<rights>R</rights>',
    '<link href="a"/>',
    '<link rel="alternate" href="a"/>',
    '<link rel=" enclosure " href="e"/>',
    '<link rel="related" href="r"/>',
    '<link rel="via" href="v"/>',
  ];
  const dropped = [
    '<id>1</id>',
    '<updated>u</updated>',
    '<published>p</published>',
    '<author><name>N</name></author>',
    '<contributor><name>N</name></contributor>',
    '<source/>',
    '<link rel="edit" href="e"/>',
    '<link rel="self" href="s"/>',
  ];
  expect(shared(entry([...dropped, ...kept].join('')))).toEqual(kept);
});

test("the data that endpoints share of an RSS item stays, and what is its publisher's goes", () => {
  const kept = [
    '<title>T</title>',
    '<description>D</description>',
    '<category>c</category>',
    '<enclosure url="u" length="1" type="t"/>',
    '<link>l</link>',
  ];
  const dropped = [
    '<guid>1</guid>',
    '<pubDate>d</pubDate>',
    '<author>a</author>',
    '<comments>c</comments>',
    '<source url="u">s</source>',
  ];
  expect(shared(`<item>${[...kept, ...dropped].join('')}</item>`)).toEqual(kept);
});

test('what neither format defines always stays', () => {
  const foreign = [
    '<x:id xmlns:x="urn:x">1</x:id>',
    '<guid xmlns="urn:x"/>',
    '<unknown/>',
    '<a:unknown xmlns:a="http://www.w3.org/2005/Atom"/>',
  ];
  expect(shared(`<item>${foreign.join('')}</item>`, { atom: [], rss: [] })).toEqual(foreign);
});

test('what is carried of the other format is judged by the list of that one', () => {
  expect(
    shared(
      '<item xmlns:a="http://www.w3.org/2005/Atom"><a:id>1</a:id><a:summary>S</a:summary>' +
        '<a:link rel="edit" href="e"/></item>',
    ),
  ).toEqual(['<a:summary>S</a:summary>']);
  expect(shared(entry('<guid xmlns="">1</guid><description xmlns="">D</description>'))).toEqual([
    '<description xmlns="">D</description>',
  ]);
});

test('a collection may have lists of its own', () => {
  expect(
    shared(entry('<title>T</title><author><name>N</name></author><link href="a"/>'), {
      atom: ['author'],
      rss: [],
    }),
  ).toEqual(['<author><name>N</name></author>']);
});

test('a payload of which nothing is dropped is returned as is', () => {
  const payload = readPayload('<item><title>T</title></item>');
  expect(sharedPayload(payload, defaultSharedElements)).toBe(payload);
});
