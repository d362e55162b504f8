import { describe, expect, test } from '@jest/globals';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import { fieldsOfPayload, payloadFromFields } from '../fields.ts';
import { readPayload } from '../payload-reading.ts';

const outline =
  '<outline text="A &amp; B" xmlUrl="http://example.com/" x:colour="red" __proto__="p" xmlns:x="urn:x" ' +
  'xml:lang="en"><x:note>n</x:note></outline>';

describe('an outline', () => {
  test('as plain values has its attributes by name, and its other children in payload', () => {
    expect(fieldsOfPayload(readPayload(outline))).toEqual({
      attributes: Object.fromEntries([
        ['text', 'A & B'],
        ['xmlUrl', 'http://example.com/'],
        ['{urn:x}colour', 'red'],
        ['__proto__', 'p'],
      ]),
      language: 'en',
      payload: '<x:note xmlns:x="urn:x">n</x:note>',
    });
  });

  test('means the same after an update that sends back what it got', () => {
    const fields = fieldsOfPayload(readPayload(outline));
    const payload = payloadFromFields('opml', fields);
    expect(payload.format).toBe('opml');
    expect(fieldsOfPayload(payload)).toEqual(fields);
  });

  test('may be read without a text', () => {
    expect(fieldsOfPayload(readPayload('<outline title="T"/>'))).toEqual({ attributes: { title: 'T' } });
  });

  test('has no synchronisation data in its payload', () => {
    const payload = '<s:sync xmlns:s="urn:one"/><s:sync xmlns:s="urn:two"/><s:sync xmlns:s="urn:x"/>';
    const fields = { attributes: { text: '' }, payload };
    const { children } = payloadFromFields('opml', fields, ['urn:one', 'urn:two']);
    expect(children.map(({ namespace }) => namespace)).toEqual(['urn:x']);
  });
});

describe('bad fields of an outline are refused', () => {
  test.each([
    ['no text', { attributes: { title: 'T' } }, 'field-text'],
    ['no attributes', {}, 'field-text'],
    ['a title beside them', { title: 'T', attributes: { text: 'a' } }, 'field-format'],
    ['categories', { categories: [], attributes: { text: 'a' } }, 'field-format'],
    ['a name with a prefix', { attributes: { text: 'a', 'x:b': '' } }, 'field-attribute'],
    ['a name that is none', { attributes: { text: 'a', '1': '' } }, 'field-attribute'],
    ['an empty name', { attributes: { text: 'a', '{urn:x}': '' } }, 'field-attribute'],
    ['a declaration', { attributes: { text: 'a', xmlns: 'urn:x' } }, 'field-attribute'],
    [
      'xml:lang as an attribute',
      { attributes: { text: 'a', '{http://www.w3.org/XML/1998/namespace}lang': 'en' } },
      'field-attribute',
    ],
    ['a forbidden character', { attributes: { text: '\u0001' } }, 'xml-character'],
    ['an outline in it', { attributes: { text: 'a' }, payload: '<outline text="b"/>' }, 'field-payload'],
    ['half an element', { attributes: { text: 'a' }, payload: '<a>' }, 'xml-well-formed'],
  ])('%s', (_case, fields, rule) => {
    expect(refusal(() => payloadFromFields('opml', fields)).rule).toBe(rule);
  });

  test('and attributes have no place in other formats', () => {
    expect(refusal(() => payloadFromFields('rss', { attributes: { text: 'a' } }))).toMatchObject({
      rule: 'field-format',
      message: 'An RSS item has no place for attributes.',
    });
  });
});
