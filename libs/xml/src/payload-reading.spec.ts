import { expect, test } from '@jest/globals';
import { refusal } from '../../feedsync/src/xml/__fixtures__/reading.ts';
import { readPayload } from './payload-reading.ts';

test('an Atom entry as it is posted becomes a payload with its scope', () => {
  expect(
    readPayload(
      '\uFEFF<?xml version="1.0"?>\r\n<a:entry xmlns:a="http://www.w3.org/2005/Atom" xml:lang="de" ' +
        'xml:base="http://example.com/" a="1">\r\n<a:title>Ä\r\n</a:title></a:entry>',
    ),
  ).toEqual({
    format: 'atom',
    children: [{ namespace: 'http://www.w3.org/2005/Atom', name: 'title', xml: '<a:title>Ä\n</a:title>' }],
    scope: {
      namespaces: [['a', 'http://www.w3.org/2005/Atom']],
      base: 'http://example.com/',
      language: 'de',
    },
    attributes: [{ namespace: '', name: 'a', value: '1' }],
  });
});

test('an RSS item as it is posted becomes a payload; its sync of a known namespace is left out', () => {
  const payload = readPayload('<item><title>A</title><s:sync xmlns:s="urn:sync" id="x"/><link/></item>', [
    'urn:other',
    'urn:sync',
  ]);
  expect(payload).toMatchObject({ format: 'rss', children: [{ name: 'title' }, { name: 'link' }] });
});

test(
  'an OPML outline as it is posted becomes a payload; its sync is left out, a foreign outline in it is ' +
    'not',
  () => {
    const payload = readPayload(
      '<outline text="A" xmlUrl="u"><s:sync xmlns:s="urn:sync" id="x"/>' +
        '<outline xmlns="urn:x"/><note>N</note></outline>',
      ['urn:sync'],
    );
    expect(payload).toMatchObject({
      format: 'opml',
      children: [{ namespace: 'urn:x', name: 'outline' }, { name: 'note' }],
      attributes: [
        { name: 'text', value: 'A' },
        { name: 'xmlUrl', value: 'u' },
      ],
    });
  },
);

test('an outline with others in it is refused, at the first of these', () => {
  expect(
    refusal(() => readPayload('<outline text="A">\n  <note/><outline text="B"/></outline>')),
  ).toMatchObject({ rule: 'outline-nested', line: 2, column: 10 });
  expect(refusal(() => readPayload('<o:outline xmlns:o="urn:o"><o:outline/></o:outline>')).rule).toBe(
    'outline-nested',
  );
});

test.each([
  ['no item', '<feed xmlns="http://www.w3.org/2005/Atom"/>', 'item-root'],
  ['an entry outside the namespace of Atom', '<entry/>', 'item-root'],
  ['no XML', '{}', 'xml-well-formed'],
  ['half an item', '<item><title>', 'xml-well-formed'],
  ['two items', '<item/><item/>', 'xml-well-formed'],
  ['a lone surrogate', '<item>\uD800</item>', 'xml-character'],
  [
    'an entity bomb',
    '<!DOCTYPE item [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><item>&b;</item>',
    'xml-doctype',
  ],
  ['XML 1.1', '<?xml version="1.1"?><item/>', 'xml-version'],
  ['XML 1.1 with what only 1.0 permits', '<?xml version="1.1"?><!--\u0086--><item/>', 'xml-version'],
  ['too many children', `<item>${'<a/>'.repeat(8193)}</item>`, 'limit-elements'],
  ['elements that nest too deep', `<item>${'<a>'.repeat(64)}${'</a>'.repeat(64)}</item>`, 'limit-item-depth'],
])('refuses %s', (_case, xml, rule) => {
  expect(refusal(() => readPayload(xml)).rule).toBe(rule);
});
