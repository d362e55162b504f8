import { expect, test } from '@jest/globals';
import { refusal } from '../__fixtures__/reading.ts';
import { CseFeedReader } from './feed-reader.ts';

const base = 'http://site.example/feeds/root.xml';
const document = `<?xml version="1.0" encoding="iso-8859-1"?>
<rss version="2.0" xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"><channel><title>Grün</title>
<item><guid>1</guid><csx:link>a.jpg</csx:link></item>
<item><guid>2</guid></item>
<item><guid>1</guid><csx:link/></item>
<lastBuildDate>Tue, 02 Jan 2007 00:00:00 GMT</lastBuildDate></channel></rss>`;

test('a feed is read byte by byte: each item when it is complete, and at the end the feed with all of them, and its head', () => {
  const reader = new CseFeedReader({ base });
  const bytes = Buffer.from(document, 'latin1');
  const readings = [...bytes].flatMap((byte) => reader.write(Uint8Array.of(byte)));
  expect(readings.map(({ item, line }) => [item.id, line])).toEqual([['1', 3], ['2', 4], ['1', 5]]);
  const { feed, head } = reader.end();
  expect(feed).toEqual({ lastBuildDate: '2007-01-02T00:00:00Z', items: readings.map(({ item }) => item) });
  expect(head.title).toBe('Grün');
});

test('an item that is known by the same as one before is told, beside what else is wrong with it', () => {
  const readings = new CseFeedReader({ base }).write(Buffer.from(document, 'latin1'));
  expect(readings.map(({ breaches }) => breaches.map(({ severity, rule, line, column }) => `${severity} ${rule}@${line}:${column}`))).toEqual([[], [], ['error cse-link-empty@5:21', 'warning cse-guid-unique@5:1']]);
  expect(readings[2]?.breaches[1]?.message).toContain('line 3');
});

test('the encoding may be said by the server', () => {
  const reader = new CseFeedReader({ base, contentType: 'text/xml; charset=utf-8' });
  reader.write(Buffer.from(document));
  expect(reader.end().head.title).toBe('Grün');
});

test('limits are those that are given, and the error names them', () => {
  const reader = new CseFeedReader({ base, limits: { items: 2 } });
  expect(refusal(() => reader.write(Buffer.from(document, 'latin1')))).toMatchObject({ rule: 'limit-items', message: expect.stringContaining('limit "items"') });
});

test.each([
  ['cut short', '<rss version="2.0"><channel>', 'xml-well-formed'],
  ['in Atom', '<feed xmlns="http://www.w3.org/2005/Atom"/>', 'cse-format'],
  ['nothing', '', 'xml-well-formed'],
])('a feed that is %s is refused at its end', (_case, text, rule) => {
  const reader = new CseFeedReader({ base });
  reader.write(Buffer.from(text));
  expect(refusal(() => reader.end()).rule).toBe(rule);
});
