import { describe, expect, test } from '@jest/globals';
import { violationsOf, feedOfEntry, itemOf, scan } from './__fixtures__/reading.ts';
import { atomToDoList, rssToDoList } from './__fixtures__/to-do-list.ts';
import { readItem } from './item-reading.ts';
import { writeItem } from './item-writing.ts';

const history = '<sx:history sequence="1" when="2005-05-21T09:43:33Z" by="REO1750"/>';
const entry = (attributes: string, inside = history) =>
  feedOfEntry(`\n <sx:sync ${attributes}>${inside}</sx:sync>`);

test.each([
  ['atom', atomToDoList],
  ['rss', rssToDoList],
])('reads the item of the example of 1.4 (%s)', (format, feed) => {
  const { sync, data, conflicts } = itemOf(feed);
  expect(sync).toEqual({
    id: 'item_1_myapp_2005-05-21T11:43:33Z',
    updates: 3,
    deleted: false,
    history: [
      { sequence: 3, when: '2005-05-21T11:43:33Z', by: 'JEO2000' },
      { sequence: 2, when: '2005-05-21T10:43:33Z', by: 'REO1750' },
      { sequence: 1, when: '2005-05-21T09:43:33Z', by: 'REO1750' },
    ],
  });
  expect(conflicts).toEqual([]);
  expect(data.format).toBe(format);
  expect(data.children[0]?.xml).toBe('<title>Buy groceries</title>');
});

test('an item without sx:sync is plain', () => {
  const [fragment] = scan(feedOfEntry('<title>A</title><sync/>')).fragments;
  expect(fragment && readItem(fragment)).toMatchObject({
    kind: 'plain',
    payload: { children: [{ name: 'title' }, { name: 'sync' }] },
  });
});

describe('a value that breaks a rule is found at its place in the feed', () => {
  test.each([
    ['id missing', 'updates="1"', 'sync-id-required'],
    ['id empty', 'id="" updates="1"', 'sync-id-empty'],
    ['id too long', `id="${'a'.repeat(4097)}" updates="1"`, 'sync-id-length'],
    ['updates missing', 'id="a"', 'sync-updates-required'],
    ...['0', '-1', '2147483648', '1000000000000000000000000000000', '1e3', ' 1', '+1', '01', ''].map(
      (value) => [`updates "${value}"`, `id="a" updates="${value}"`, 'sync-updates-range'] as const,
    ),
    ['deleted "TRUE"', 'id="a" updates="1" deleted="TRUE"', 'sync-deleted-value'],
    ['deleted "1"', 'id="a" updates="1" deleted="1"', 'sync-deleted-value'],
    ['deleted empty', 'id="a" updates="1" deleted=""', 'sync-deleted-value'],
    ['noconflicts "yes"', 'id="a" updates="1" noconflicts="yes"', 'sync-noconflicts-value'],
  ])('%s', (_case, attributes, rule) => {
    expect(violationsOf(entry(attributes))).toEqual([`error ${rule}@3:2`]);
  });

  test.each([
    ['no history', '', 'sync-history-required', '3:2'],
    ['neither when nor by', '<sx:history sequence="1"/>', 'history-when-or-by', '3:30'],
    ['sequence missing', '\n<sx:history by="a"/>', 'history-sequence-required', '4:1'],
    ['sequence 0', '<sx:history sequence="0" by="a"/>', 'history-sequence-range', '3:30'],
    ['by empty', '<sx:history sequence="1" by=""/>', 'history-by-empty', '3:30'],
    ['by too long', `<sx:history sequence="1" by="${'a'.repeat(4097)}"/>`, 'history-by-length', '3:30'],
    ...[
      '2005-05-21T09:43:33.5Z',
      '2005-05-21T09:43:33+00:00',
      '2005-02-30T09:43:33Z',
      'Fri, 6 Jan 2006 19:24:09 GMT',
      '',
    ].map(
      (when) =>
        [
          `when "${when}"`,
          `<sx:history sequence="1" when="${when}"/>`,
          'history-when-format',
          '3:30',
        ] as const,
    ),
  ])('%s', (_case, inside, rule, place) => {
    expect(violationsOf(entry('id="a" updates="1"', inside))).toEqual([`error ${rule}@${place}`]);
  });

  test('all of them are found, not the first only', () => {
    const inside = '\n<sx:history sequence="0" when="yesterday"/>\n<sx:history sequence="1"/>';
    expect(violationsOf(entry('updates="0" deleted="no"', inside))).toEqual([
      'error sync-updates-range@3:2',
      'error sync-deleted-value@3:2',
      'error sync-id-required@3:2',
      'error history-sequence-range@4:1',
      'error history-when-format@4:1',
      'error history-when-or-by@5:1',
    ]);
  });

  test('on the first line of the item too', () => {
    expect(
      violationsOf(feedOfEntry('<sx:sync id="a" updates="0"><sx:history sequence="1" by="a"/></sx:sync>')),
    ).toEqual(['error sync-updates-range@2:8']);
  });

  test('a second sx:sync', () => {
    const sync = `<sx:sync id="a" updates="1">${history}</sx:sync>`;
    expect(violationsOf(feedOfEntry(`\n${sync}\n${sync}`))).toEqual(['error sync-multiple@4:1']);
  });
});

test('the limit on the length of identifiers can be set, and its error names it', () => {
  const [fragment] = scan(entry('id="abc" updates="1"')).fragments;
  const reading = fragment && readItem(fragment, { limits: { identifierLength: 2 } });
  expect(reading).toMatchObject({ kind: 'rejected' });
  expect(JSON.stringify(reading)).toContain('identifierLength');
});

test('what means nothing in its position is kept with a warning', () => {
  const namespace = 'http://feedsync.org/2007/feedsync';
  const feed = entry('id="a" updates="1" sx:id="b"', `${history}<sx:related/><sx:constructor/>`);
  expect(itemOf(feed).sync.foreign).toMatchObject({
    attributes: [{ name: 'id', value: 'b' }],
    children: [`<sx:related xmlns:sx="${namespace}"/>`, `<sx:constructor xmlns:sx="${namespace}"/>`],
  });
  expect(violationsOf(feed).map((violation) => violation.replace(/@.*/, ''))).toEqual([
    'warning related-place',
    'warning element-unknown',
    'warning attribute-unknown',
  ]);
});

test('an item whose sync data is outside sx:sync is plain, with a warning', () => {
  const [fragment] = scan(feedOfEntry(history)).fragments;
  expect(fragment && readItem(fragment)).toMatchObject({
    kind: 'plain',
    violations: [{ rule: 'history-place', severity: 'warning', line: 2, column: 8 }],
  });
});

test('a topmost history that is not the greatest of its endpoint gets a warning', () => {
  const order = (first: string, second: string) =>
    violationsOf(
      entry(
        'id="a" updates="2"',
        `<sx:history sequence="1" by="${first}"/><sx:history sequence="2" by="${second}"/>`,
      ),
    );
  expect(order('A', 'A')).toEqual(['warning history-order@3:30']);
  expect(order('A', 'B')).toEqual([]);
});

test('identifiers outside the syntax of RFC 2141 are accepted with a warning', () => {
  const feed = entry('id="item 1" updates="1"', '<sx:history sequence="1" by="Ray Ozzie"/>');
  expect(itemOf(feed).sync).toMatchObject({ id: 'item 1', history: [{ by: 'Ray Ozzie' }] });
  expect(violationsOf(feed)).toEqual(['warning sync-id-syntax@3:2', 'warning history-by-syntax@3:35']);
});

test('white space in attributes is what XML makes of it', () => {
  expect(itemOf(entry('id="a\n&#10;&#233;" updates="1"')).sync.id).toBe('a \né');
});

test('noconflicts is kept as the creator set it: true, false or left out', () => {
  const read = (attribute: string) => itemOf(entry(`id="a" updates="1" ${attribute}`)).sync.noconflicts;
  expect([read('noconflicts="true"'), read('noconflicts="false"'), read('')]).toEqual([
    true,
    false,
    undefined,
  ]);
});

describe('conflicts', () => {
  const version = (by: string, inside = '', id = 'a') =>
    `<entry><title>${by}</title><sx:sync id="${id}" updates="2">` +
    `<sx:history sequence="2" by="${by}"/>${inside}</sx:sync></entry>`;
  const conflicting = (nested: string) =>
    entry('id="a" updates="2"', `${history}\n<sx:conflicts>${nested}</sx:conflicts>`);

  test('are read with their content', () => {
    const { conflicts } = itemOf(conflicting(version('B')));
    expect(conflicts).toMatchObject([
      {
        sync: { id: 'a', updates: 2, history: [{ sequence: 2, by: 'B' }] },
        data: { children: [{ name: 'title', xml: '<title>B</title>' }] },
        conflicts: [],
      },
    ]);
  });

  test('of conflicts are flattened', () => {
    const innermost = `<sx:conflicts>${version('D')}</sx:conflicts>`;
    const inner = `<sx:conflicts>${version('C', innermost)}</sx:conflicts>`;
    const { conflicts } = itemOf(conflicting(version('B', inner)));
    expect(
      violationsOf(conflicting(version('B', inner))).map((violation) => violation.replace(/@.*/, '')),
    ).toEqual(['warning conflicts-nested', 'warning conflicts-nested']);
    expect(conflicts.map(({ sync, conflicts }) => [sync.history[0]?.by, conflicts.length])).toEqual([
      ['B', 0],
      ['C', 0],
      ['D', 0],
    ]);
  });

  test('carry the noconflicts of their item, and an item that preserves none has none', () => {
    const feed = entry(
      'id="a" updates="2" noconflicts="true"',
      `${history}\n<sx:conflicts>${version('B')}</sx:conflicts>`,
    );
    expect(itemOf(feed).conflicts).toHaveLength(1);
    expect(violationsOf(feed)).toEqual([
      'warning sync-noconflicts-conflicts@4:1',
      'warning conflict-noconflicts@4:15',
    ]);
  });

  test('in a second sx:conflicts are taken too', () => {
    const feed = entry(
      'id="a" updates="2"',
      `${history}\n<sx:conflicts>${version('B')}</sx:conflicts>\n<sx:conflicts>${version('C')}` +
        '</sx:conflicts>',
    );
    expect(itemOf(feed).conflicts).toHaveLength(2);
    expect(violationsOf(feed)).toEqual(['warning conflicts-multiple@5:1']);
  });

  test('may be an empty sx:conflicts, which is none', () => {
    expect(itemOf(conflicting(' <!-- none --> ')).conflicts).toEqual([]);
  });

  test('have the id of their item', () => {
    expect(violationsOf(conflicting(version('B', '', 'b')))).toEqual(['error conflict-id@4:15']);
  });

  test('have an sx:sync', () => {
    expect(violationsOf(conflicting('<entry><title>B</title></entry>'))).toEqual([
      'error conflict-sync-required@4:15',
    ]);
  });

  test('follow the same rules as their item', () => {
    expect(violationsOf(conflicting(version('')))).toEqual(['error history-by-empty@4:65']);
  });

  test('are items; anything else beside them is kept as foreign markup, with a warning', () => {
    const feed = conflicting(`<other xmlns="urn:x"/>${version('B')}`);
    const item = itemOf(feed);
    expect(item.conflicts).toHaveLength(1);
    expect(writeItem(item)).toMatch(
      /<sx:conflicts><entry>.*<\/entry><other xmlns="urn:x"\/><\/sx:conflicts>/s,
    );
    expect(writeItem({ ...item, conflicts: [] })).not.toContain('other');
    expect(violationsOf(feed)).toEqual(['warning conflicts-child@4:15']);
  });

  test('in RSS are items', () => {
    const sync = (inside: string) =>
      `<sx:sync id="a" updates="1"><sx:history sequence="1" by="A"/>${inside}</sx:sync>`;
    const feed =
      '<rss version="2.0" xmlns:sx="http://feedsync.org/2007/feedsync"><channel>' +
      `<item>${sync(`<sx:conflicts><item>${sync('')}</item></sx:conflicts>`)}</item></channel></rss>`;
    expect(itemOf(feed).conflicts).toMatchObject([{ data: { format: 'rss' } }]);
  });
});

test('what FeedSync does not define in its elements is kept as self-contained XML (2.1.7)', () => {
  const { sync } = itemOf(
    entry(
      'id="a" updates="1" xmlns:ext="urn:x" ext:a="1" b="2"',
      '<sx:history sequence="1" by="A" ext:c="3"><ext:d/></sx:history><ext:e><f/></ext:e><sx:later/>',
    ),
  );
  expect(sync.foreign).toEqual({
    attributes: [
      { namespace: 'urn:x', name: 'a', value: '1' },
      { namespace: '', name: 'b', value: '2' },
    ],
    children: [
      '<ext:e xmlns:ext="urn:x" xmlns="http://www.w3.org/2005/Atom"><f/></ext:e>',
      '<sx:later xmlns:sx="http://feedsync.org/2007/feedsync"/>',
    ],
  });
  expect(sync.history[0]?.foreign).toEqual({
    attributes: [{ namespace: 'urn:x', name: 'c', value: '3' }],
    children: ['<ext:d xmlns:ext="urn:x"/>'],
  });
});

test('names such as __proto__ in sx:sync are foreign markup like others', () => {
  const { sync } = itemOf(entry('id="a" updates="1" __proto__="x" constructor="y"'));
  expect(sync.foreign?.attributes.map(({ name, value }) => [name, value])).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('a fragment that is no item, or not well-formed, is rejected and nothing is thrown', () => {
  expect(readItem({ xml: '<feed/>', line: 3, column: 4 })).toMatchObject({
    kind: 'rejected',
    violations: [{ rule: 'item-root', line: 3, column: 4 }],
  });
  expect(readItem({ xml: '<entry\n><a></entry>', line: 3, column: 4 })).toMatchObject({
    kind: 'rejected',
    violations: [{ rule: 'xml-well-formed', line: 3 }],
  });
});

test('10,000 conflicts are read', () => {
  const conflict = `<entry><sx:sync id="a" updates="1">${history}</sx:sync></entry>`;
  expect(
    itemOf(entry('id="a" updates="1"', `${history}<sx:conflicts>${conflict.repeat(10_000)}</sx:conflicts>`))
      .conflicts,
  ).toHaveLength(10_000);
});
