import { expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import { finish, payloadFromFields, readPayload } from '#xml';
import { readCsePayload } from './payload-reading.ts';

const csx = 'xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"';
const feedUrl = 'http://ours.example/feeds/c.rss';

/** Reads an item as it is posted, with what is given inside it. */
function read(inside: string, attributes = '') {
  const data = readPayload(`<item ${csx}${attributes}>${inside}</item>`);
  const reading = finish(readCsePayload(data, feedUrl));
  return {
    ...reading,
    contents: reading.links.map(({ place: { child, start, end } }) =>
      data.children[child]?.xml.slice(start, end),
    ),
  };
}

test('a payload says its links with their places, its guid, and whether it is hidden', () => {
  const inside =
    '<csx:lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT</csx:lastBuildDate><guid> g </guid>' +
    '<csx:link nestedFeed="true">/n.rss</csx:link><x:a xmlns:x="urn:x" x:b="&gt;">' +
    '<csx:link onDemand="true">c.jpg</csx:link></x:a>';
  expect(read(inside, ' csx:hiddenItem="true" xml:base="http://cdn.example/"')).toMatchObject({
    guid: 'g',
    hidden: true,
    links: [
      { url: 'http://cdn.example/n.rss', nestedFeed: true, onDemand: false, place: { child: 2 } },
      { url: 'http://cdn.example/c.jpg', nestedFeed: false, onDemand: true, place: { child: 3 } },
    ],
    contents: ['/n.rss', 'c.jpg'],
    violations: [],
  });
});

test('a payload of plain values is read alike; it may have no guid', () => {
  const data = payloadFromFields('rss', { title: 'T', payload: `<csx:link ${csx}>a.jpg</csx:link>` });
  const reading = finish(readCsePayload(data, feedUrl));
  expect(reading).toMatchObject({
    hidden: false,
    links: [{ url: 'http://ours.example/feeds/a.jpg', place: { child: 1 } }],
    violations: [],
  });
  expect(reading).not.toHaveProperty('guid');
});

test('prefixes of the scope count, also in attributes of the item', () => {
  expect(read('<csx:link>a</csx:link>', ' xmlns:x="urn:x" x:a="1" b="2"').contents).toEqual(['a']);
});

test('returns warnings', () => {
  expect(read('<csx:link onDemand="yes">a</csx:link>').violations.map(({ rule }) => rule)).toEqual([
    'cse-on-demand-value',
  ]);
});

test.each([
  ['<csx:link/>', 'cse-link-empty'],
  ['<csx:link>http://[</csx:link>', 'cse-link-url'],
  [
    '<csx:link nestedFeed="true">a</csx:link><csx:link nestedFeed="true">b</csx:link>',
    'cse-nested-feed-multiple',
  ],
])('a link that would be left out is refused: %s', (inside, rule) => {
  expect(refusal(() => read(inside)).rule).toBe(rule);
});

test('a payload that is not RSS is refused', () => {
  expect(refusal(() => finish(readCsePayload(payloadFromFields('atom', { title: 'T' }), feedUrl))).rule).toBe(
    'cse-format',
  );
});
