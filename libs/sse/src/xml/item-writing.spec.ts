import { describe, expect, test } from '@jest/globals';
import { itemId } from '#core';
import type { Item } from '../engine/item.ts';
import { refusal } from '../../../feedsync/src/xml/__fixtures__/reading.ts';
import type { Payload } from '#xml';
import { feedOfItem, itemOf, outlineDocument } from './__fixtures__/reading.ts';
import { writeSseItem } from './item-writing.ts';

const sync =
  '<sx:sync id="a" version="1"><sx:history when="Fri, 06 Jan 2006 19:24:09 GMT" by="A"/></sx:sync>';

test('an RSS item has its sx:sync last', () => {
  expect(writeSseItem(itemOf(feedOfItem(`${sync}<title>T</title>`)))).toBe(
    `<item><title>T</title>${sync}</item>`,
  );
});

test('an outline has its sx:sync first, its attributes in their order, and an end tag', () => {
  const outline = `<outline xmlns:x="urn:x" text="A" x:a="1" b="&amp;&#9;">${sync}<x:b/></outline>`;
  expect(writeSseItem(itemOf(outlineDocument(outline)))).toBe(outline);
});

test('an outline keeps base and language on its own element if its attributes need them', () => {
  const outline = `<outline xml:base="http://example.com/" xml:lang="de" text="A">${sync}</outline>`;
  const conflict = {
    version: 1,
    by: 'B',
    item: itemOf(outlineDocument(`<outline text="B">${sync}</outline>`)),
  };
  expect(writeSseItem(itemOf(outlineDocument(outline)))).toBe(outline);
  expect(writeSseItem({ ...itemOf(outlineDocument(outline)), conflicts: [conflict] })).toContain(
    '<outline xml:base="http://example.com/" xml:lang="de" text="A">',
  );
});

test('an RSS item with items in its conflicts gives base and language to its children alone', () => {
  const item = itemOf(
    feedOfItem(`<title>T</title>${sync}`).replace(
      '<item>',
      '<item xml:base="http://example.com/" xml:lang="de">',
    ),
  );
  const loser = itemOf(feedOfItem(`<title>L</title>${sync}`));
  expect(writeSseItem({ ...item, conflicts: [{ version: 1, by: 'B', item: loser }] })).toBe(
    '<item><title xml:base="http://example.com/" xml:lang="de">T</title>' +
      `${sync.replace(
        '</sx:sync>',
        '<sx:conflicts><sx:conflict version="1" by="B"><item>' +
          `<title>L</title>${sync}</item>` +
          '</sx:conflict></sx:conflicts></sx:sync>',
      )}</item>`,
  );
});

test('deleted, conflict, updates and the position are written, and false flags are not', () => {
  const item = itemOf(feedOfItem(sync));
  const updated: Item<Payload> = {
    ...item,
    sync: {
      id: itemId('a'),
      version: 2,
      deleted: true,
      conflict: true,
      history: [{ when: '2006-01-07T00:00:00Z' }, { by: 'A' }],
    },
    position: { key: 'V', parent: 'p q' },
  };
  expect(writeSseItem(updated)).toBe(
    '<item><sx:sync id="a" version="2" deleted="true" conflict="true" fm:position="2 V p q">' +
      '<sx:history when="Sat, 07 Jan 2006 00:00:00 GMT"><sx:update by="A"/></sx:history></sx:sync></item>',
  );
});

test('foreign markup on and in sx:conflicts is written as it was read, unless no conflict is left', () => {
  const conflicts = '<sx:conflicts x:a="1"><sx:conflict version="1" by="B"/><x:b/></sx:conflicts>';
  const item = itemOf(
    feedOfItem(sync.replace('</sx:sync>', `${conflicts}</sx:sync>`)).replace(
      '<rss ',
      '<rss xmlns:x="urn:x" ',
    ),
  );
  expect(item.sync.conflictsForeign).toEqual({
    attributes: [{ namespace: 'urn:x', name: 'a', value: '1' }],
    children: ['<x:b xmlns:x="urn:x"/>'],
  });
  expect(writeSseItem(item)).toContain(conflicts.replace('<x:b/>', '<x:b xmlns:x="urn:x"/>'));
  expect(writeSseItem({ ...item, conflicts: [] })).not.toContain('urn:x:');
});

test.each([
  { after: 'b', parent: 'p' },
  { after: 'b', key: 'V' },
])('a position that has yet to be given its key is not written (%j)', (position) => {
  expect(writeSseItem({ ...itemOf(feedOfItem(sync)), position })).toBe(`<item>${sync}</item>`);
});

test('the two forms of the namespace are one: what was read in one goes into a feed of the other', () => {
  const item = itemOf(
    feedOfItem(`<title>T</title>${sync}`).replace('https://www.microsoft.com', 'http://www.microsoft.com'),
  );
  expect(writeSseItem(item)).toBe(`<item><title>T</title>${sync}</item>`);
});

describe('text that XML forbids', () => {
  test.each(['\0', '\uD800', '\uFFFE'])('is refused (%j)', (character) => {
    const item = itemOf(feedOfItem(sync));
    expect(
      refusal(() => writeSseItem({ ...item, sync: { ...item.sync, id: itemId(`a${character}`) } })).rule,
    ).toBe('xml-character');
  });
});
