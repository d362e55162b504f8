import { describe, expect, test } from '@jest/globals';
import { readPayload } from './payload-reading.ts';
import { publish } from './publisher.ts';
import type { PublisherData } from './publisher.ts';

const publisher: PublisherData = { id: 'urn:b&b', updated: '2005-06-01T09:00:00Z' };
const editUrl = 'http://example.com/items/1?a&b';
const own = '<id>urn:b&amp;b</id><updated>2005-06-01T09:00:00Z</updated>';

function entry(children: string): string {
  return `<entry xmlns="http://www.w3.org/2005/Atom">${children}</entry>`;
}

/** The children that stay, and what is added. */
function published(xml: string, data: PublisherData = publisher): readonly [readonly string[], string] {
  const { children, added } = publish(readPayload(xml), data);
  return [children.map(({ xml: child }) => child), added];
}

describe('an entry', () => {
  test('gets the title and the author that it has not', () => {
    expect(published(entry(''), { ...publisher, author: 'J & E' })).toEqual([
      [],
      `<title></title><author><name>J &amp; E</name></author>${own}`,
    ]);
  });

  test('keeps those that it has', () => {
    const children = ['<title>A</title>', '<author><name>Ray</name></author>'];
    expect(published(entry(children.join('')), { ...publisher, author: 'JEO' })).toEqual([children, own]);
  });

  test('gets no author if there is no name for one', () => {
    expect(published(entry('<title>A</title>'))).toEqual([['<title>A</title>'], own]);
  });

  test('has the id, the date and the links of its publisher in place of those of another', () => {
    const kept = [
      '<title rel="self">A</title>',
      '<link rel="alternate" href="a"/>',
      '<link href="b"/>',
      '<x:link xmlns:x="urn:x" rel="edit"/>',
    ];
    const others = ['id', 'updated'].map((name) => `<${name}>x</${name}>`);
    const links = ['edit', ' edit-media ', 'self'].map((relation) => `<link rel="${relation}" href="c"/>`);
    const xml = entry([...others, ...kept, ...links].join(''));
    const edit = '<link rel="edit" href="http://example.com/items/1?a&amp;b"/>';
    expect(published(xml, { ...publisher, editUrl })).toEqual([kept, `${own}${edit}`]);
  });
});

describe('an item of RSS', () => {
  const itsOwn =
    '<guid isPermaLink="false">urn:b&amp;b</guid><pubDate>Wed, 01 Jun 2005 09:00:00 GMT</pubDate>';

  test('gets a title only without a description', () => {
    expect(published('<item/>')).toEqual([[], `<title></title>${itsOwn}`]);
    for (const child of ['<title>A</title>', '<description>A</description>'])
      expect(published(`<item>${child}</item>`)).toEqual([[child], itsOwn]);
  });

  test('gets no author, and the link to edit it in the namespace of Atom', () => {
    const data = { ...publisher, editUrl, author: 'JEO' };
    const xml = '<item><guid>x</guid><title>A</title><pubDate>y</pubDate></item>';
    const edit = '<atom:link rel="edit" href="http://example.com/items/1?a&amp;b"/>';
    expect(published(xml, data)).toEqual([['<title>A</title>'], `${itsOwn}${edit}`]);
  });
});

test('an outline has nothing of its publisher', () => {
  expect(published('<outline text="A"/>')[1]).toBe('');
});
