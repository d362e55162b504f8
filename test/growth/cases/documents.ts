import { sampleCollection, sampleSubscription } from '#in-memory';
import { agreedSequence } from '#feedsync';
import { collectionKey, finish, fitting, itemId, subscriptionId } from '#core';
import type { Subscription } from '#core';
import {
  CseFeedReader,
  cseHead,
  defaultTreeLimits,
  HostQueue,
  planFeed,
  TreeWalk,
  writeCseFeedStart,
} from '#cse';
import type { Feed } from '#cse';
import { adoptionOf, feedTreeProtocols, sharingProtocolOf, synchronisationNamespaces } from '#protocols';
import {
  createFeedDecoder,
  describeFeed,
  DocumentBeginning,
  FeedError,
  FeedScanner,
  FormatExamination,
  foreignMarkup,
  writeFeedEnd,
  writeFeedStart,
} from '#xml';
import type { Format } from '#xml';
import { aggregatedFeeds, republishedMarkup } from '#protocol';
import { orderFeed } from '../../../libs/items/src/tree/feed-order.ts';
import { summarizeFeed } from '../../../apps/fetcher/src/feed-summary.ts';
import { hubOf } from '../../../apps/fetcher/src/hubs/feed-hub.ts';
import { ItemDates } from '../../../apps/fetcher/src/item-dates.ts';
import { statedSchedule } from '../../../apps/fetcher/src/stated-schedule.ts';
import { headFields } from '../../../apps/gateway/src/tree/tree-feed-view.ts';
import { feedLevels } from '../../../apps/publisher/src/feed-levels.ts';
import type { GrowthCase, Step } from '../growth-case.ts';
import { feedXml, itemXml } from '../shapes/items.ts';
import type { Markup } from '../shapes/items.ts';

const url = 'http://there.example/feed';
const now = new Date('2026-02-01T00:00:00Z');
const place = { line: 1, column: 1 };
const each = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => text(number)).join('');

/** What stands in a head, by what it is. */
const heads: Readonly<Record<string, readonly [limit: number, text: (size: number) => string]>> = {
  'long markup': [1_000_000, (size) => `<x:a xmlns:x="urn:x">${'a'.repeat(size)}</x:a>`],
  elements: [45_000, (size) => '<x:a xmlns:x="urn:x"/>'.repeat(size)],
  'elements in an element': [160_000, (size) => `<x:a xmlns:x="urn:x">${'<x:b/>'.repeat(size)}</x:a>`],
  'elements of namespaces of their own': [40_000, (size) => each(size, (n) => `<p:a xmlns:p="urn:${n}"/>`)],
  links: [
    18_000,
    (size) => each(size, (n) => `<link xmlns="http://www.w3.org/2005/Atom" rel="r${n}" href="/${n}"/>`),
  ],
  hubs: [
    18_000,
    (size) => '<link xmlns="http://www.w3.org/2005/Atom" rel="hub" href="ftp://a/"/>'.repeat(size),
  ],
  'deleted entries': [
    7000,
    (size) =>
      each(size, (n) => `<t:deleted-entry xmlns:t="http://purl.org/atompub/tombstones/1.0" ref="urn:${n}"/>`),
  ],
  'related feeds': [
    15_000,
    (size) =>
      '<sx:sharing since="1" until="2">' +
      `${each(size, (n) => `<sx:related link="http://a/${n}" type="aggregated"/>`)}</sx:sharing>`,
  ],
  'elements of sharing': [40_000, (size) => '<sx:sharing since="1" until="2"/>'.repeat(size)],
  'unknown elements of sharing': [60_000, (size) => `<sx:sharing>${'<sx:a/>'.repeat(size)}</sx:sharing>`],
  comments: [100_000, (size) => '<!--a-->'.repeat(size)],
  'update periods': [
    9000,
    (size) =>
      '<s:updatePeriod xmlns:s="http://purl.org/rss/1.0/modules/syndication/">hourly</s:updatePeriod>'.repeat(
        size,
      ),
  ],
};

function headSteps(markup: Markup, format: Format, head: string): readonly Step[] {
  const xml = feedXml(markup, '', '', head);
  const dialect = sharingProtocolOf({ protocol: markup === 'sse' ? 'sse' : 'feedsync' }).dialect;
  const scan = () => {
    const scanner = new FeedScanner(dialect);
    scanner.write(xml);
    return scanner.end();
  };
  const steps: Step[] = [['FeedScanner', scan]];
  let read;
  try {
    read = scan();
  } catch (error) {
    if (error instanceof FeedError) return steps;
    throw error;
  }
  const found = read;
  const markupKept = foreignMarkup(found, synchronisationNamespaces);
  const feed = summarizeFeed(found, markupKept, 65_536);
  const subscription = sampleSubscription({
    collection: collectionKey('c'),
    id: subscriptionId('s'),
    url,
    createdAt: now,
  });
  const subscriptions: Subscription[] = [{ ...subscription, feed }];
  const collection = sampleCollection({
    key: collectionKey('c'),
    format,
    settings: { listSubscriptions: true },
  });
  return [
    ...steps,
    [
      'FormatExamination',
      () => new FormatExamination().head(found, { head: place, children: found.children.map(() => place) }),
    ],
    ['foreignMarkup', () => foreignMarkup(found, synchronisationNamespaces)],
    ['summarizeFeed', () => summarizeFeed(found, markupKept, 65_536)],
    ['fitting', () => fitting(markupKept, 1_000_000, ({ length }) => length)],
    ['hubOf', () => hubOf({ url }, found)],
    ['statedSchedule', () => statedSchedule(found)],
    [
      'planFeed',
      () => sharingProtocolOf(collection).planFeed({ cursor: {}, cursorVersion: 0 } as never, url, found),
    ],
    ['aggregatedFeeds', () => [aggregatedFeeds(subscriptions), republishedMarkup(subscriptions)]],
    [
      'composeFeed',
      () =>
        sharingProtocolOf(collection).composeFeed(collection, {
          variant: 'complete',
          format,
          subscriptions,
          publicUrl: 'http://here.example',
          now,
        }),
    ],
    [
      'writeFeedStart',
      () =>
        writeFeedStart(
          describeFeed({
            format,
            title: 'T',
            id: 'urn:x',
            selfUrl: url,
            updated: '2026-01-01T00:00:00Z',
            author: 'A',
            markup: markupKept,
          }),
          dialect,
        ) + writeFeedEnd(format),
    ],
    [
      'cseHead',
      () => {
        const { title, markup: kept } = cseHead(found, url, synchronisationNamespaces);
        return writeCseFeedStart({ title, selfUrl: url, lastBuildDate: '2026-01-01T00:00:00Z', head: kept });
      },
    ],
    ['headFields', () => headFields(markupKept)],
    ['adopt', () => adoptionOf(collection)?.adopt([], found, 'feed:there')],
  ];
}

const headCases: readonly GrowthCase[] = (
  [
    ['atom', 'atom'],
    ['rss', 'rss'],
    ['sse', 'rss'],
  ] as const
).flatMap(([markup, format]) =>
  Object.entries(heads).map(([name, [limit, text]]) => ({
    name: `head of ${markup}: ${name}`,
    covers: [
      'FeedScanner',
      'FormatExamination',
      'foreignMarkup',
      'readOnlySharing',
      'selfLink',
      'readMarkup',
      'describeFeed',
      'writeFeedStart',
      'writeFeedEnd',
      'SharingProtocol.planFeed',
      'SharingProtocol.composeFeed',
      'SharingProtocol.republishedMarkup',
    ],
    limit,
    prepare: (size: number) => headSteps(markup, format, text(size)),
  })),
);

/** Items of a feed, by what is done with them. */
const small = (markup: Markup, count: number, isRepeated = false): string =>
  each(count, (n) =>
    itemXml(markup, { id: isRepeated ? 'x' : `i${n}` })
      .replace('urn:x', `urn:${isRepeated ? 0 : n}`)
      .replace('<guid>x', `<guid>${isRepeated ? 0 : n}`)
      .replace('by="there"', `by="there${n}"`),
  );

function feedSteps(markup: Markup, size: number, isRepeated: boolean): readonly Step[] {
  const xml = feedXml(markup, small(markup, size, isRepeated));
  const bytes = Buffer.from(xml);
  if (markup === 'cse')
    return [
      [
        'CseFeedReader',
        () => {
          const reader = new CseFeedReader({ base: url });
          reader.write(bytes);
          return reader.end();
        },
      ],
      [
        'examineItems',
        () => {
          const examination = feedTreeProtocols[0]?.examineItems();
          for (const fragment of new FeedScanner(sharingProtocolOf({ protocol: 'feedsync' }).dialect).write(
            xml,
          ))
            examination?.examine(fragment);
          return examination?.violations();
        },
      ],
    ];
  const protocol = sharingProtocolOf({ protocol: markup === 'sse' ? 'sse' : 'feedsync' });
  const fragments = new FeedScanner(protocol.dialect).write(xml);
  if (markup.startsWith('plain'))
    return [
      [
        'adopt',
        () => protocol.adoption?.adopt(fragments, { children: [], scope: { namespaces: [] } }, 'feed:there'),
      ],
      ['ItemDates', () => new ItemDates().take(fragments)],
    ];
  return [
    [
      'createFeedDecoder',
      () => {
        const decoder = createFeedDecoder();
        const beginning = new DocumentBeginning();
        const scanner = new FeedScanner(protocol.dialect);
        for (let start = 0; start < bytes.length; start += 16_384) {
          const piece = bytes.subarray(start, start + 16_384);
          beginning.take(piece);
          scanner.write(decoder.write(piece));
        }
        return [scanner.end(), beginning.kind];
      },
    ],
    [
      'examineItems',
      () => {
        const examination = protocol.examineItems();
        return fragments.map((fragment) => examination.examine(fragment));
      },
    ],
  ];
}

const feedCases: readonly GrowthCase[] = (
  ['atom', 'rss', 'sse', 'cse', 'plain-atom', 'plain-rss'] as const
).flatMap((markup) =>
  [false, true].map((isRepeated) => ({
    name: `feed of ${markup}: ${isRepeated ? 'versions of one item' : 'items'}`,
    covers: [
      'FeedScanner',
      'createFeedDecoder',
      'DocumentBeginning',
      'SharingProtocol.examineItems',
      'FeedTreeProtocol.examineItems',
      'Adoption.adopt',
    ],
    limit: isRepeated ? 20_000 : 1_000_000,
    prepare: (size: number) => feedSteps(markup, size, isRepeated),
  })),
);

/** Merging a feed with itself, as the command line does. */
function mergeSteps(markup: Markup, size: number, isRepeated: boolean): readonly Step[] {
  const protocol = sharingProtocolOf({ protocol: markup === 'sse' ? 'sse' : 'feedsync' });
  const scanner = new FeedScanner(protocol.dialect);
  const fragments = scanner.write(feedXml(markup, small(markup, size, isRepeated)));
  const head = scanner.end();
  const merge = (): unknown => {
    const merged = protocol.mergeFeeds();
    for (let feed = 0; feed < 2; feed += 1) {
      for (const fragment of fragments) merged.take(fragment);
      merged.end(head);
    }
    return [...merged.write(head)];
  };
  return [['mergeFeeds', merge]];
}

const mergeCases: readonly GrowthCase[] = (['atom', 'sse'] as const).flatMap((markup) =>
  [false, true].map((isRepeated) => ({
    name: `merging of ${markup}: ${isRepeated ? 'versions of one item' : 'items'}`,
    covers: ['SharingProtocol.mergeFeeds'],
    limit: 20_000,
    ...(isRepeated && { from: 2048 }),
    prepare: (size: number) => mergeSteps(markup, size, isRepeated),
  })),
);

/** A feed of a tree as a walk has it. */
function treeFeed(items: number, links: number, date = '2026-01-01T00:00:00Z'): Feed {
  return {
    lastBuildDate: date,
    items: Array.from({ length: items }, (_, n) => ({
      id: `i${n}`,
      lastBuildDate: date,
      hidden: false,
      links: Array.from({ length: links }, (_, link) => ({
        url: `http://h${n % 7}.example/${n}/${link}`,
        nestedFeed: false,
        onDemand: false,
      })),
    })),
  };
}

function walk(root: Feed): unknown {
  const tree = new TreeWalk('http://a.example/', new Map(), defaultTreeLimits);
  for (let downloads = finish(tree.next()); downloads.length > 0; downloads = finish(tree.next()))
    for (const { url: address, isFeed } of downloads)
      finish(
        tree.arrived(address, isFeed ? { kind: 'feed', feed: root, bytes: 10 } : { kind: 'file', bytes: 1 }),
      );
  return tree.end();
}

/** How large a tree is measured: of a larger one, finding a text in memory takes longer, not more steps. */
const treeSize = 2000;

/** So small a tree is worked on several times, so that it can be measured. */
const severalTimes = (work: () => unknown) => (): void => {
  for (let time = 0; time < 8; time += 1) work();
};

const treeCases: readonly GrowthCase[] = [
  {
    name: 'walk of a tree: items',
    covers: ['TreeWalk', 'planFeed'],
    limit: treeSize,
    from: treeSize,
    prepare: (size) => {
      const [former, latter] = [treeFeed(size, 1), treeFeed(size, 1, '2026-01-02T00:00:00Z')];
      return [
        ['planFeed', severalTimes(() => finish(planFeed(former, latter)))],
        ['TreeWalk', severalTimes(() => walk(latter))],
      ];
    },
  },
  {
    name: 'walk of a tree: links',
    covers: ['TreeWalk', 'planFeed'],
    limit: treeSize,
    from: treeSize,
    prepare: (size) => {
      const [former, latter] = [treeFeed(10, size / 10), treeFeed(10, size / 10, '2026-01-02T00:00:00Z')];
      return [
        ['planFeed', severalTimes(() => finish(planFeed(former, latter)))],
        ['TreeWalk', severalTimes(() => walk(latter))],
      ];
    },
  },
  {
    name: 'queue of hosts: downloads',
    covers: ['HostQueue'],
    limit: 100_000,
    from: 25_000,
    prepare: (size) => {
      const downloads = Array.from({ length: size }, (_, n) => ({ url: `http://a.example/${n}` }));
      return [
        [
          'HostQueue',
          () => {
            const queue = new HostQueue<{ readonly url: string }>({ parallel: 32, perHost: 4 });
            queue.add(downloads);
            for (let taken = queue.take(); taken.length > 0; taken = queue.take())
              for (const one of taken) queue.release(one);
          },
        ],
      ];
    },
  },
  {
    name: 'order of a feed: items',
    covers: ['orderFeed'],
    limit: 1_000_000,
    from: 32_768,
    prepare: (size) => {
      const feed = treeFeed(size, 0);
      const stored = feed.items.map(({ id }, n) => ({
        id: itemId(`root:${id}`),
        deleted: false,
        position: { key: `K${String(n).padStart(9, '0')}`, parent: 'root' },
      }));
      return [
        [
          'orderFeed',
          () => finish(orderFeed('root', { ...feed, items: feed.items.toReversed() }, stored as never)),
        ],
      ];
    },
  },
  {
    name: 'levels of feeds: feeds, and circles of them',
    covers: ['feedLevels'],
    limit: treeSize,
    from: treeSize,
    prepare: (size) => {
      const feeds = (parent: (n: number) => number) =>
        new Map(Array.from({ length: size }, (_, n) => [`f${n}`, new Set([`f${parent(n)}`])] as const));
      const [tree, circles] = [
        feeds((n) => n >> 1),
        feeds((n) => (n % 32 === 31 ? n - 31 : Math.min(n + 1, size - 1))),
      ];
      return [['feedLevels', severalTimes(() => [finish(feedLevels(tree)), finish(feedLevels(circles))])]];
    },
  },
];

const signatureCase: GrowthCase = {
  name: 'agreedSequence: signatures',
  covers: ['agreedSequence'],
  limit: 200_000,
  from: 20_000,
  prepare: (size) => {
    const signatures = Array.from({ length: size }, (_, n) => ({ sequence: size - n }));
    const record = { by: 'here', highest: 0, completeAbove: 0, versions: [] };
    return [['agreedSequence', () => agreedSequence(record, signatures)]];
  },
};

export const documentCases: readonly GrowthCase[] = [
  ...headCases,
  ...feedCases,
  ...mergeCases,
  ...treeCases,
  signatureCase,
];
