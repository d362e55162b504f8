import { sampleCollection } from '#in-memory';
import { collectionKey, finish, itemBytes, storableLetter, storedSize } from '#core';
import type { Collection, SharedContent, StoredItem } from '#core';
import { CseItemsReader, readCsePayload, writeCseItem } from '#cse';
import { readerEntry, renderedXml } from '#items';
import { protocolOf, sharingProtocolOf } from '#protocols';
import { FeedError, FeedScanner, FormatExamination, plainDialect, readPayload } from '#xml';
import { writeReaderEntry } from '#xml';
import type { Fragment } from '#xml';
import { checkSignatures } from '../../../libs/items/src/check-signatures.ts';
import { itemWrite } from '../../../libs/items/src/stored-item.ts';
import { withLinkChildren, withoutLinkChildren } from '../../../libs/items/src/tree/link-children.ts';
import { entryDocument } from '../../../apps/gateway/src/items/entry-document.ts';
import { patchedItem, readFields } from '../../../apps/gateway/src/items/item-body.ts';
import type { GrowthCase, Step } from '../growth-case.ts';
import { feedXml, itemShapes, itemXml } from '../shapes/items.ts';
import type { ItemParts, Markup } from '../shapes/items.ts';

const publicUrl = 'http://here.example';
const now = new Date('2026-02-01T00:00:00Z');
const editor = { by: 'test:here', when: '2026-02-01T00:00:00Z' };

const forms: Readonly<Record<Markup, Pick<Collection, 'protocol' | 'format'>>> = {
  atom: { protocol: 'feedsync', format: 'atom' },
  rss: { protocol: 'feedsync', format: 'rss' },
  sse: { protocol: 'sse', format: 'rss' },
  cse: { protocol: 'cse', format: 'rss' },
  'plain-atom': { protocol: 'feedsync', format: 'atom' },
  'plain-rss': { protocol: 'feedsync', format: 'rss' },
};

function collectionOf(markup: Markup): Collection {
  return sampleCollection({
    key: collectionKey('items'),
    ...forms[markup],
    retiredEndpoints: ['e1', 'there'],
    settings: { cleanUpHistory: true, historyLimit: 100, resolution: { policy: 'latest' } },
  });
}

/** The fragment of the only item of a feed. */
function fragmentOf(markup: Markup, parts: ItemParts): Fragment | undefined {
  const xml = feedXml(markup, itemXml(markup, parts), parts.root);
  const dialect = markup === 'cse' ? plainDialect : sharingProtocolOf(forms[markup]).dialect;
  return unlessRefused(() => new FeedScanner(dialect).write(xml)[0]);
}

/** What reading comes to; undefined if the input is refused. */
function unlessRefused<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}

function stored(collection: Collection, content: SharedContent): StoredItem {
  return {
    ...itemWrite({ collection, now }, undefined, content).item,
    revision: 1,
    sequence: 1,
    publishedAt: now,
  };
}

/** What the services do with an item that was read: steps with the names of the hooks. */
function hooks(markup: Markup, fragment: Fragment): readonly Step[] {
  const collection = collectionOf(markup);
  const protocol = sharingProtocolOf(collection);
  const result = finish(protocol.read(fragment));
  if (result.kind !== 'item') return [['dead letter', () => deadLetter(fragment, result.violations)]];
  const content = unlessRefused(() => protocol.adapt(result.item, collection, 'http://there.example/feed'));
  if (content === undefined) return [];
  const local = protocol.resign(content, { from: 'there', to: 'others', isMoved: () => true });
  const item = stored(collection, content);
  const edit =
    (action: unknown): (() => unknown) =>
    () =>
      protocol.edit(content, action as never, { ...editor, issued: undefined }, collection.settings);
  return [
    ['adapt', () => protocol.adapt(result.item, collection, 'http://there.example/feed')],
    ['signatures', () => [protocol.isSignedBy(content, 'e1'), protocol.signatures(content, 'test:here')]],
    [
      'checkSignatures',
      () => checkSignatures(collection, { content: local, records: undefined }, content, true),
    ],
    ['merge', () => protocol.merge(undefined, content)],
    ['merge of the same', () => protocol.merge(content, content)],
    ['merge of others', () => protocol.merge(local, content)],
    ['resolveConflicts', () => protocol.resolveConflicts?.(content, collection, new Map())],
    ['update', edit({ action: 'update', payload: content.data })],
    ['delete', edit({ action: 'delete' })],
    ['resolve', edit({ action: 'resolve', keep: 'winner' })],
    ['summary', () => protocol.summary(content)],
    ['json', () => JSON.stringify(protocol.json(content))],
    ['creation', () => protocol.creation(content)],
    ['isOwn', () => protocol.isOwn?.(content, ['e1', 'test:here'])],
    ['storedSize', () => [storedSize({ content: JSON.stringify(content) }), itemBytes(content)]],
    ['adoption', () => protocol.adoption?.version(local, content, { seen: 'seen' })],
    [
      'renderedXml',
      () =>
        protocol
          .publishedFormats(collection.format)
          .map((format) => finish(renderedXml(format, collection, item, publicUrl))),
    ],
    ['entryDocument', () => finish(entryDocument(collection.format, collection, item, publicUrl))],
    [
      'patchedItem',
      () => finish(readFields(collection, patchedItem(collection, item, { title: 'Other' }) as never)),
    ],
    ...readerSteps(collection, item),
  ];
}

function readerSteps(collection: Collection, item: StoredItem): readonly Step[] {
  const entry = finish(readerEntry(collection, item as never, publicUrl));
  return [
    ['readerEntry', () => finish(readerEntry(collection, item as never, publicUrl))],
    ['writeReaderEntry', () => entry && [writeReaderEntry('atom', entry), writeReaderEntry('rss', entry)]],
  ];
}

function deadLetter(fragment: Fragment, violations: StoredItem['sources'] | readonly unknown[]): unknown {
  return storableLetter({ id: 'a', fragment: fragment.xml, violations } as never, 1_000_000);
}

/** What is done with an item of a tree of feeds. */
function treeHooks(fragment: Fragment): readonly Step[] {
  const read = unlessRefused(() => new CseItemsReader('http://there.example/feed').read(fragment));
  if (read === undefined) return [];
  const collection = collectionOf('cse');
  const cse = protocolOf(collection);
  const links = read.links.map(({ place, url, nestedFeed, onDemand }) => ({
    place,
    url,
    nestedFeed,
    onDemand,
  }));
  const content = {
    feed: 'root',
    guid: 'x',
    hidden: false,
    deleted: false,
    version: 1,
    when: editor.when,
    data: read.data,
    links,
    position: {},
  } as never;
  const item = stored(collection, content);
  return [
    [
      'writeCseItem',
      () =>
        writeCseItem(
          { guid: 'x', hidden: false, data: read.data },
          {
            lastBuildDate: editor.when,
            places: links.map(({ place }) => place),
            addresses: links.map(({ url }) => url),
          },
        ),
    ],
    ['readCsePayload', () => finish(readCsePayload(read.data, 'http://there.example/feed'))],
    ['summary', () => [cse.summary(content), cse.creation(content), JSON.stringify(cse.json(content))]],
    ['edit', () => cse.edit(content, { action: 'update', payload: read.data }, editor, collection.settings)],
    ['payloadIn', () => cse.payloadIn(read.data, 'rss')],
    [
      'withLinkChildren',
      () =>
        withLinkChildren(
          withoutLinkChildren({ data: read.data, links }),
          links.map((link) => ({ ...link, address: link.url })) as never,
        ),
    ],
    ...readerSteps(collection, item),
  ];
}

/** What adopts an item of a plain feed. */
function adoption(markup: Markup, fragment: Fragment): readonly Step[] {
  const protocol = sharingProtocolOf(forms[markup]);
  const { adoption } = protocol;
  const head = { children: [], scope: { namespaces: [] } };
  const [adopted] = [...(adoption?.adopt([fragment], head, 'feed:there', true).adopted ?? [])];
  const local = adopted && finish(protocol.read(adopted));
  return [
    ['adopt', () => adoption?.adopt([fragment], head, 'feed:there')],
    [
      'isSameItem',
      () => local?.kind === 'item' && adoption?.isSameItem(local.item, { ...adopted, digest: '' } as never),
    ],
  ];
}

function reading(markup: Markup, parts: ItemParts): readonly Step[] {
  const fragment = fragmentOf(markup, parts);
  const item = itemXml(markup, {
    children: parts.children ?? '',
    attributes: `${parts.attributes ?? ''} ${parts.root ?? ''}`,
  });
  const scan: Step = ['FeedScanner', () => fragmentOf(markup, parts)];
  if (fragment === undefined) return [scan];
  if (markup === 'cse')
    return [scan, ['readCseItem', () => new CseItemsReader('http://there.example/feed').read(fragment)]];
  if (markup.startsWith('plain'))
    return [
      scan,
      ['FormatExamination', () => new FormatExamination().item(fragment, false)],
      ...adoption(markup, fragment),
    ];
  const protocol = sharingProtocolOf(forms[markup]);
  return [
    scan,
    ['read', () => finish(protocol.read(fragment))],
    ['examineItems', () => protocol.examineItems().examine(fragment)],
    ['readPayload', () => readPayload(item, protocol.dialect.namespaces)],
  ];
}

function working(markup: Markup, parts: ItemParts): readonly Step[] {
  const fragment = fragmentOf(markup, parts);
  if (fragment === undefined) return [];
  return markup === 'cse' ? treeHooks(fragment) : hooks(markup, fragment);
}

/** What an item goes through while it is read. */
const readers = [
  'attributesOf',
  'checkAttributes',
  'checkElements',
  'holdsMarkup',
  'ItemLength',
  'payloadOf',
  'readForeign',
  'readTree',
  'scopeOf',
  'textOf',
  'ViolationList',
  'rawAttributes',
  'readContent',
  'FeedScanner',
  'readPayload',
  'Adoption.adopt',
  'Adoption.isSameItem',
  'authorsOf',
  'childElements',
  'describeItem',
  'hasRelativeReferences',
  'mediaElements',
  'mendItem',
  'FormatExamination',
  'SharingProtocol.read',
  'SharingProtocol.examineItems',
];
/** What it goes through afterwards. */
const hookNames: readonly string[] = [
  'convertPayload',
  'dateInPayload',
  'declareOn',
  'neededBindings',
  'neededScope',
  'placeScope',
  'publish',
  'readMarkup',
  'readAttributes',
  'readReaderItem',
  'sharedPayload',
  'usedBindings',
  'withBase',
  'writeAttribute',
  'writeAttributes',
  'writeReaderEntry',
  'FeedTreeProtocol.json',
  'FeedTreeProtocol.readerItem',
  ...['summary', 'creation', 'edit', 'payloadIn'].map((name) => `FeedTreeProtocol.${name}`),
  'Adoption.version',
  ...[
    'adapt',
    'isSignedBy',
    'signatures',
    'resign',
    'merge',
    'resolveConflicts',
    'edit',
    'summary',
    'json',
    'creation',
    'isOwn',
    'readerItem',
    'write',
    'withPayloads',
    'payloadIn',
  ].map((name) => `SharingProtocol.${name}`),
];

const markups: readonly Markup[] = ['atom', 'rss', 'sse', 'cse', 'plain-atom', 'plain-rss'];

/** In which markups the short form has every shape, and not only those of versions and links of a tree. */
const [readInFull, workedInFull]: readonly (readonly Markup[])[] = [['plain-atom'], ['rss']];

/** Each shape of an item, in each markup that has it. */
export const itemCases: readonly GrowthCase[] = markups.flatMap((markup) =>
  itemShapes
    .filter((shape) => shape.for?.includes(markup) ?? true)
    .flatMap(({ name, limit, from, parts, ...shape }): GrowthCase[] => {
      const common = { limit, ...(from !== undefined && { from }) };
      const isOwn = shape.for !== undefined && markup !== 'atom';
      return [
        {
          ...common,
          name: `reading ${markup}: ${name}`,
          covers: readers,
          isLong: !isOwn && !readInFull?.includes(markup),
          prepare: (size) => reading(markup, parts(size, markup)),
        },
        {
          ...common,
          name: `hooks of ${markup}: ${name}`,
          covers: hookNames,
          isLong: !isOwn && !workedInFull?.includes(markup),
          prepare: (size) => (markup.startsWith('plain') ? [] : working(markup, parts(size, markup))),
        },
      ];
    }),
);
