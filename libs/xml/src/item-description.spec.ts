import { expect, test } from '@jest/globals';
import { describeItem } from './item-description.ts';
import type { ItemDescription } from './item-description.ts';
import { readPayload } from './payload-reading.ts';

const modules =
  'xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"';
const described = (children: string): ItemDescription =>
  describeItem(readPayload(`<item ${modules}>${children}</item>`));
const thumbnail = '<media:thumbnail url="http://a.example/1.jpg"/>';

test.each([
  [thumbnail],
  [`<media:group>${thumbnail}</media:group>`],
  [`<media:group><media:content url="http://a.example/1.mp4">${thumbnail}</media:content></media:group>`],
  ['<itunes:image href="http://a.example/1.jpg"/>'],
  ['<media:content medium="image" url="http://a.example/1.jpg"/>'],
])('%s is the picture of an item', (xml) => {
  expect(described(xml)).toEqual({ image: 'http://a.example/1.jpg' });
});

test('a picture among the enclosures is that of an item without another one', () => {
  const enclosure = '<enclosure url="http://a.example/2.png" type="image/png" length="3"/>';
  const enclosures = [{ url: 'http://a.example/2.png', type: 'image/png', length: 3 }];
  expect(described(enclosure)).toEqual({ enclosures, image: 'http://a.example/2.png' });
  expect(described(enclosure + thumbnail)).toEqual({ enclosures, image: 'http://a.example/1.jpg' });
});

test('elements of a group are in the namespaces that it declares', () => {
  const group =
    '<m:group xmlns:m="http://search.yahoo.com/mrss/"><m:content url="http://a.example/1.mp4">' +
    '<m:thumbnail url="http://a.example/1.jpg"/></m:content></m:group>';
  expect(describeItem(readPayload(`<item>${group}</item>`))).toEqual({ image: 'http://a.example/1.jpg' });
});

test('a group beyond 64 KiB is not looked into', () => {
  const group = (length: number): string =>
    `<media:group>${thumbnail}<media:title>${'a'.repeat(length)}</media:title></media:group>`;
  expect(described(group(60_000))).toEqual({ image: 'http://a.example/1.jpg' });
  expect(described(group(70_000))).toEqual({});
});

test('at most 100 authors are read, each once', () => {
  const authors = Array.from({ length: 8000 }, (_, number) => `<dc:creator>A${number}</dc:creator>`);
  expect(described(authors.join('')).authors).toHaveLength(100);
  expect(described('<author>Ann</author><dc:creator>ANN</dc:creator>').authors).toHaveLength(1);
});

test('an outline has none of it', () => {
  expect(describeItem(readPayload('<outline text="a" url="http://a.example/"/>'))).toEqual({});
});
