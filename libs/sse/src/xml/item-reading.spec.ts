import { describe, expect, test } from '@jest/globals';
import { violationsOf, feedOfItem, itemOf, itemsOf, outlineDocument, scan } from './__fixtures__/reading.ts';
import { readSseItem } from './item-reading.ts';

const when = 'Sat, 21 May 2005 09:43:33 GMT';
const dateTime = '2005-05-21T09:43:33Z';
const history = `<sx:history when="${when}" by="REO1750"/>`;
const withSync = (attributes: string, inside = history) =>
  feedOfItem(`<sx:sync ${attributes}>${inside}</sx:sync>`);
const withInside = (inside: string) => withSync('id="a" version="2"', inside);
const withConflicts = (inside: string) => withInside(`${history}<sx:conflicts>${inside}</sx:conflicts>`);
const rulesOf = (document: string) => violationsOf(document).map((violation) => violation.replace(/@.*/, ''));

test('the updated item of 4.2 is read', () => {
  const item = itemOf(
    feedOfItem(`<description>This is a test item</description>
<sx:sync id="0a7903db47fb0ae8" version="4">
<sx:history when="Tue, 24 May 2005 09:43:33 GMT" by="REO1750">
<sx:update when="Mon, 23 May 2005 09:43:33 GMT" by="REO1750" />
<sx:update when="Sun, 22 May 2005 09:43:33 GMT" by="REO1750" />
<sx:update when="Sat, 21 May 2005 09:43:33 GMT" by="REO1750" />
</sx:history>
</sx:sync>`),
  );
  expect(item.sync).toEqual({
    id: '0a7903db47fb0ae8',
    version: 4,
    deleted: false,
    conflict: false,
    history: [
      '2005-05-24T09:43:33Z',
      '2005-05-23T09:43:33Z',
      '2005-05-22T09:43:33Z',
      '2005-05-21T09:43:33Z',
    ].map((moment) => ({ when: moment, by: 'REO1750' })),
  });
  expect(item.data.children.map(({ xml }) => xml)).toEqual([
    '<description>This is a test item</description>',
  ]);
});

test('the conflict of the example of 5.2 is read', () => {
  const item = itemOf(
    withSync(
      'id="a" version="4" conflict="true"',
      `${history}<sx:conflicts>
<sx:conflict when="Tue, 24 May 2005 08:00:11 GMT" by="GPM7383" version="4">
<!--conflict data here -->
</sx:conflict>
</sx:conflicts>`,
    ),
  );
  expect(item.sync.conflict).toBe(true);
  expect(item.conflicts).toEqual([{ version: 4, when: '2005-05-24T08:00:11Z', by: 'GPM7383' }]);
});

test('the http form of the namespace, any prefix and empty flags are read', () => {
  const item = itemOf(
    '<rss version="2.0"><channel><item><y:sync xmlns:y="http://www.microsoft.com/schemas/rss/sse" id="a" ' +
      'version="1" deleted="" conflict="false"><y:history by="A"/></y:sync></item></channel></rss>',
  );
  expect(item.sync).toEqual({ id: 'a', version: 1, deleted: false, conflict: false, history: [{ by: 'A' }] });
});

test('an empty by is none, as its absence says the same', () => {
  expect(itemOf(withInside(`<sx:history when="${when}" by=""/>`)).sync.history).toEqual([{ when: dateTime }]);
});

test('an outline keeps its attributes and other children; the outlines in it are items of their own', () => {
  const sync = (id: string) => `<sx:sync id="${id}" version="1">${history}</sx:sync>`;
  const [inner, outer] = itemsOf(
    outlineDocument(
      `<outline text="A" xmlUrl="http://example.com/" xmlns:x="urn:x" x:a="1">${sync('a')}<x:b/>` +
        `<outline text="B">${sync('b')}</outline></outline>`,
    ),
  ).toSorted((one, other) => (one.sync.id < other.sync.id ? 1 : -1));
  expect(outer?.data).toMatchObject({
    format: 'opml',
    attributes: [
      { namespace: '', name: 'text', value: 'A' },
      { namespace: '', name: 'xmlUrl', value: 'http://example.com/' },
      { namespace: 'urn:x', name: 'a', value: '1' },
    ],
    children: [{ namespace: 'urn:x', name: 'b', xml: '<x:b/>' }],
  });
  expect(inner).toMatchObject({
    sync: { id: 'b' },
    data: { children: [] },
    position: { parent: 'a', after: '' },
  });
});

test('an item without sx:sync takes no part, and keeps what it holds', () => {
  const [fragment] = scan(feedOfItem('<title>T</title>')).fragments;
  expect(fragment && readSseItem(fragment)).toMatchObject({
    kind: 'plain',
    payload: { format: 'rss', children: [{ name: 'title' }] },
    violations: [],
  });
});

test('what is no item is rejected', () => {
  expect(
    readSseItem({ xml: '<entry xmlns="http://www.w3.org/2005/Atom"/>', line: 3, column: 4 }),
  ).toMatchObject({ kind: 'rejected', violations: [{ rule: 'item-root', line: 3, column: 4 }] });
});

describe('the position', () => {
  const positionOf = (attribute: string, place?: { parent?: string; after: string }) => {
    const [fragment] = scan(withSync(`id="a" version="3" fm:position="${attribute}"`)).fragments;
    const reading = fragment && readSseItem({ ...fragment, place });
    return reading?.kind === 'item'
      ? {
          position: reading.item.position,
          rules: reading.violations.map(({ rule }) => rule),
          foreign: reading.item.sync.foreign,
        }
      : undefined;
  };

  test.each([
    ['below the root', '3 V', { key: 'V' }],
    ['below an item', '3 0aV p', { key: '0aV', parent: 'p' }],
    ['below an item with spaces in its id', '3 V p q', { key: 'V', parent: 'p q' }],
  ])('is what was written for this version, %s', (_case, attribute, position) => {
    expect(positionOf(attribute, { after: 'x' })).toEqual({ position, rules: [], foreign: undefined });
  });

  test('is the place in the document if another version was written, or none', () => {
    expect(positionOf('2 V', { parent: 'p', after: 'x' })).toEqual({
      position: { parent: 'p', after: 'x' },
      rules: [],
      foreign: undefined,
    });
    expect(positionOf('2 V', { after: '' })?.position).toEqual({ after: '' });
    expect(positionOf('2 V')?.position).toBeUndefined();
  });

  test.each([
    '',
    '3',
    '3 ',
    'x V',
    '0 V',
    '3 V-',
    '3 V0',
    '3  V',
    `3 ${'V'.repeat(4097)}`,
    `3 V ${'p'.repeat(4097)}`,
  ])('is skipped with a warning where it is malformed (%#)', (attribute) => {
    expect(positionOf(attribute, { after: 'x' })).toEqual({
      position: { after: 'x' },
      rules: ['sse-position-format'],
      foreign: undefined,
    });
  });
});

describe('an item that breaks a rule is rejected', () => {
  test.each([
    [
      'sse-sync-multiple',
      feedOfItem(
        `<sx:sync id="a" version="1">${history}</sx:sync><sx:sync id="a" version="1">${history}</sx:sync>`,
      ),
    ],
    ['sse-sync-id-required', withSync('version="1"')],
    ['sse-sync-id-empty', withSync('id="" version="1"')],
    ['sse-sync-id-length', withSync(`id="${'a'.repeat(4097)}" version="1"`)],
    ['sse-sync-version-required', withSync('id="a"')],
    ...['0', '-1', '1.0', ' 1', '1e3', '9007199254740992', ''].map(
      (version) => ['sse-sync-version-range', withSync(`id="a" version="${version}"`)] as const,
    ),
    ['sse-sync-deleted-value', withSync('id="a" version="1" deleted="TRUE"')],
    ['sse-sync-conflict-value', withSync('id="a" version="1" conflict="1"')],
    ['sse-history-required', withInside('')],
    ['sse-history-multiple', withInside(history + history)],
    ['sse-history-when-or-by', withInside('<sx:history/>')],
    ['sse-history-when-format', withInside('<sx:history when="30 Feb 2005 00:00:00 GMT"/>')],
    ['sse-history-when-format', withInside('<sx:history when="" by="A"/>')],
    ['sse-history-by-length', withInside(`<sx:history by="${'a'.repeat(4097)}"/>`)],
    ['sse-update-when-or-by', withInside('<sx:history by="A"><sx:update by=""/></sx:history>')],
    ['sse-update-when-format', withInside('<sx:history by="A"><sx:update when="then"/></sx:history>')],
    [
      'sse-update-by-length',
      withInside(`<sx:history by="A"><sx:update by="${'a'.repeat(4097)}"/></sx:history>`),
    ],
    ['sse-conflict-version-required', withConflicts('<sx:conflict by="A"/>')],
    ['sse-conflict-version-range', withConflicts('<sx:conflict version="0" by="A"/>')],
    ['sse-conflict-when-or-by', withConflicts('<sx:conflict version="1"/>')],
    ['sse-conflict-when-format', withConflicts('<sx:conflict version="1" when="then"/>')],
    ['sse-conflict-by-length', withConflicts(`<sx:conflict version="1" by="${'a'.repeat(4097)}"/>`)],
  ])('%s', (rule, document) => {
    expect(rulesOf(document)).toEqual([`error ${rule}`]);
    const [fragment] = scan(document).fragments;
    expect(fragment && readSseItem(fragment).kind).toBe('rejected');
  });
});

describe('an item that violates a minor rule is accepted with a warning', () => {
  test.each([
    ['sse-sync-id-syntax', withSync('id="a b" version="1"')],
    ['sse-history-when-syntax', withInside('<sx:history when="21 May 05 09:43:33 GMT"/>')],
    ['sse-history-by-syntax', withInside('<sx:history by="a b"/>')],
    [
      'sse-update-when-syntax',
      withInside('<sx:history by="A"><sx:update when="2005-05-21T09:43:33Z"/></sx:history>'),
    ],
    ['sse-update-by-syntax', withInside('<sx:history by="A"><sx:update by="a b"/></sx:history>')],
    ['sse-conflict-when-syntax', withConflicts('<sx:conflict version="1" when="21 May 2005 09:43 GMT"/>')],
    ['sse-conflict-by-syntax', withConflicts('<sx:conflict version="1" by="a b"/>')],
    [
      'sse-conflict-by-unique',
      withConflicts('<sx:conflict version="1" by="A"/><sx:conflict version="2" by="A"/>'),
    ],
    ['sse-conflicts-empty', withConflicts('')],
    [
      'sse-conflicts-multiple',
      withInside(`${history}${'<sx:conflicts><sx:conflict version="1" by="A"/></sx:conflicts>'.repeat(2)}`),
    ],
    ['sse-sync-place', withInside(`${history}<sx:sync/>`)],
    ['sse-history-place', withInside(`<sx:history by="A"><sx:history/></sx:history>`)],
    ['sse-update-place', withInside(`${history}<sx:update/>`)],
    ['sse-conflicts-place', feedOfItem(`<sx:conflicts/><sx:sync id="a" version="1">${history}</sx:sync>`)],
    ['sse-conflict-place', withInside(`${history}<sx:conflict/>`)],
    ['sse-sharing-place', feedOfItem(`<sx:sharing/><sx:sync id="a" version="1">${history}</sx:sync>`)],
    ['sse-related-place', withConflicts('<sx:conflict version="1" by="A"><sx:related/></sx:conflict>')],
    ['sse-element-unknown', withInside(`<sx:history by="A"><sx:later/></sx:history>`)],
    ['sse-attribute-unknown', withSync('id="a" version="1" sx:id="b"')],
  ])('%s', (rule, document) => {
    expect(rulesOf(document)).toEqual([`warning ${rule}`]);
    expect(itemOf(document).sync.id).not.toBe('');
  });

  test('at its place in the document', () => {
    expect(
      violationsOf(feedOfItem(`\n <sx:sync id="a" version="1">\n  <sx:history by="a b"/></sx:sync>`)),
    ).toEqual(['warning sse-history-by-syntax@4:3']);
  });
});

describe('a conflict', () => {
  const one = (inside: string) =>
    itemOf(withConflicts(`<sx:conflict version="1" when="${when}" by="B">${inside}</sx:conflict>`)).conflicts;

  test('holds the item that lost, with synchronisation data of its own', () => {
    const [conflict] = one(
      `<item><title>L</title><sx:sync id="a" version="1" deleted="true" fm:position="1 V p">${history}` +
        '</sx:sync></item>',
    );
    expect(conflict).toMatchObject({
      version: 1,
      when: dateTime,
      by: 'B',
      item: {
        sync: { id: 'a', deleted: true, history: [{ by: 'REO1750' }] },
        data: { children: [{ name: 'title' }] },
        position: { key: 'V', parent: 'p' },
        conflicts: [],
      },
    });
    expect(conflict?.foreign).toBeUndefined();
  });

  test('gives its own to an item that has none', () => {
    expect(one('<item><title>L</title></item>')[0]?.item?.sync).toEqual({
      id: 'a',
      version: 1,
      deleted: false,
      conflict: false,
      history: [{ when: dateTime, by: 'B' }],
    });
  });

  test('keeps beside the item what else it holds', () => {
    expect(one('<item/><x:y xmlns:x="urn:x"/>')[0]).toMatchObject({
      item: { data: { children: [] } },
      foreign: { attributes: [], children: ['<x:y xmlns:x="urn:x"/>'] },
    });
  });

  test('keeps everything as foreign markup if there is more than one item', () => {
    const [conflict] = one('<item>1</item><item>2</item>');
    expect(conflict?.item).toBeUndefined();
    expect(conflict?.foreign?.children).toEqual(['<item xmlns="">1</item>', '<item xmlns="">2</item>']);
  });

  test.each([
    ['another id', `<item><sx:sync id="b" version="1">${history}</sx:sync></item>`],
    ['no version', `<item><sx:sync id="a">${history}</sx:sync></item>`],
    ['two sx:sync', `<item>${`<sx:sync id="a" version="1">${history}</sx:sync>`.repeat(2)}</item>`],
  ])('keeps an item as foreign markup that has %s', (_case, item) => {
    const document = withConflicts(`<sx:conflict version="1" by="B">${item}</sx:conflict>`);
    expect(rulesOf(document)).toEqual(['warning sse-conflict-item']);
    expect(itemOf(document).conflicts).toEqual([
      {
        version: 1,
        by: 'B',
        foreign: {
          attributes: [],
          children: [
            item.replace('<item>', '<item xmlns:sx="https://www.microsoft.com/schemas/rss/sse" xmlns="">'),
          ],
        },
      },
    ]);
  });

  test('in a conflict is put into the flat list', () => {
    const inner =
      `<item><sx:sync id="a" version="1">${history}<sx:conflicts>` +
      '<sx:conflict version="1" by="C"/>' +
      '</sx:conflicts></sx:sync></item>';
    const document = withConflicts(`<sx:conflict version="1" by="B">${inner}</sx:conflict>`);
    expect(rulesOf(document)).toEqual(['warning sse-conflict-nested']);
    expect(itemOf(document).conflicts).toMatchObject([
      { by: 'B', item: { conflicts: [] } },
      { version: 1, by: 'C' },
    ]);
  });
});

test('a conflict that is put into the flat list takes along what its foreign markup was read in', () => {
  const inner =
    `<item xmlns:q="urn:q"><sx:sync id="a" version="1">${history}<sx:conflicts>` +
    '<sx:conflict version="1" by="C"><q:x/></sx:conflict></sx:conflicts></sx:sync></item>';
  const [, lifted] = itemOf(
    withConflicts(`<sx:conflict version="1" by="B">${inner}</sx:conflict>`),
  ).conflicts;
  expect(lifted?.foreign?.children).toEqual(['<q:x xmlns="" xmlns:q="urn:q"/>']);
});

test('foreign markup on sx:sync, sx:history, sx:update and sx:conflict is kept', () => {
  const { sync, conflicts } = itemOf(
    withSync(
      'id="a" version="2" xmlns:x="urn:x" x:a="1"',
      '<sx:history by="A" x:b="2"><sx:update by="A" later="3"><x:c/></sx:update></sx:history><x:d/>' +
        '<sx:conflicts><sx:conflict version="1" by="B" x:e="4"/></sx:conflicts>',
    ),
  );
  expect(sync.foreign).toEqual({
    attributes: [{ namespace: 'urn:x', name: 'a', value: '1' }],
    children: ['<x:d xmlns:x="urn:x"/>'],
  });
  expect(sync.history).toMatchObject([
    { foreign: { attributes: [{ namespace: 'urn:x', name: 'b', value: '2' }], children: [] } },
    {
      foreign: {
        attributes: [{ namespace: '', name: 'later', value: '3' }],
        children: ['<x:c xmlns:x="urn:x"/>'],
      },
    },
  ]);
  expect(conflicts).toMatchObject([
    { foreign: { attributes: [{ namespace: 'urn:x', name: 'e', value: '4' }] } },
  ]);
});
