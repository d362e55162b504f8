import { beforeEach, describe, expect, test } from '@jest/globals';
import { cacheDocument } from '../../../../test/support/cache-document.ts';
import { FeedError, payloadFromFields, readPayload } from '#xml';
import { createMemoryStore, sampleCollection, sampleSubscription } from '#in-memory';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { Collection, TreeContent, Store } from '#core';
import { cseItemJson, feedAddress, fileAddress, treeItemId } from '#cse';
import { editItem } from '../edit-item.ts';
import { InvalidEditError, ItemExistsError, ItemStateError } from '#protocol';
import { mirrorFeed } from './mirror-feed.ts';
import { removeFeed } from './remove-feed.ts';
import type { EditPorts } from '../edit-ports.ts';
import type { ItemEdit } from '../requested-placement.ts';
import type { LinksInput } from './links-input.ts';

const photosKey = collectionKey('photos');
const source = subscriptionId('source');
const root1 = itemId('root:1');

const publicUrl = 'http://here.example';
const now = (): Date => new Date('2026-02-01T00:00:00Z');
const collection = sampleCollection({
  key: photosKey,
  protocol: 'cse',
  format: 'rss',
  title: 'Photos',
  createdAt: now(),
  settings: { expiresAfter: 86_400 },
});
const title = (text: string) => payloadFromFields('rss', { title: text });
const namespace = 'xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"';

let store: Store;
let ports: EditPorts;
/** The digest of a file of the collection. */
let digest: string;

async function upload(text: string, type?: string): Promise<string> {
  async function* body() {
    yield Buffer.from(text);
  }
  return (await store.contents.write(photosKey, body(), { at: now(), ...(type !== undefined && { type }) }))
    .digest;
}

beforeEach(async () => {
  store = createMemoryStore({ clock: { now } });
  ports = { store, now, publicUrl };
  for (const id of ['root', 'summer', 'beach'])
    await store.feeds.put({ collection: photosKey, id, title: id, head: [], createdAt: now() });
  digest = await upload('a photo', 'image/jpeg');
});

async function edit(id: string, change: ItemEdit): Promise<TreeContent> {
  return (await editItem(ports, collection, itemId(id), change)).content as TreeContent;
}

function create(guid: string, input: LinksInput = {}, payload = title(guid)): Promise<TreeContent> {
  const id = treeItemId(input.feed ?? 'root', guid);
  return edit(id, { action: 'create', id, payload, tree: { guid, ...input } });
}

const item = (inside: string, attributes = '') =>
  readPayload(`<item ${namespace}${attributes}>${inside}</item>`);
const texts = ({ data, links }: TreeContent) =>
  links.map(({ place: { child, start, end } }) => data.children[child]?.xml.slice(start, end));
const order = async (feed = 'root') => (await store.items.children(photosKey, [feed])).map(({ id }) => id);

describe('a new item', () => {
  test('stands first in its feed, the root where it says none', async () => {
    await create('1');
    await create('2');
    await create('3', { feed: 'summer' });
    expect([await order(), await order('summer')]).toEqual([['root:2', 'root:1'], ['summer:3']]);
  });

  test('has the links that it is given, with an address of ours for each that leads to us', async () => {
    const created = await create('1', {
      links: [
        { file: digest, name: 'a b.jpg' },
        { url: 'http://other.example/x?a=1&b=2#part', onDemand: true },
      ],
      hidden: true,
    });
    expect(cseItemJson(created)).toMatchObject({
      id: 'root:1',
      feed: 'root',
      guid: '1',
      hidden: true,
      title: '1',
      deleted: false,
      version: 1,
      links: [
        {
          nestedFeed: false,
          onDemand: false,
          file: { digest, name: 'a b.jpg', length: 7, type: 'image/jpeg' },
        },
        { nestedFeed: false, onDemand: true, url: 'http://other.example/x?a=1&b=2' },
      ],
    });
    expect(texts(created)).toEqual([
      fileAddress(publicUrl, photosKey, digest, 'a b.jpg'),
      'http://other.example/x?a=1&amp;b=2',
    ]);
    expect(created.data.children.map(({ xml }) => /^<[^>]*>/.exec(xml)?.[0])).toEqual([
      '<title>',
      `<csx:link ${namespace}>`,
      `<csx:link ${namespace} onDemand="true">`,
    ]);
    expect((await store.items.load(photosKey, [root1])).get(root1)).toMatchObject({
      branch: { guid: '1', files: [digest] },
    });
  });

  test('nests a feed', async () => {
    const created = await create('1', { links: [{ feed: 'summer' }] });
    expect([cseItemJson(created).links, texts(created)]).toEqual([
      [{ nestedFeed: true, onDemand: false, feed: 'summer' }],
      [feedAddress(publicUrl, photosKey, 'summer')],
    ]);
    expect(await store.items.linking(photosKey, ['summer'])).toEqual([{ id: 'root:1', feed: 'root' }]);
  });

  test('leads to what is ours by its address, too', async () => {
    const links = [
      `<p><csx:link>${fileAddress(publicUrl, photosKey, digest, 'a.jpg')}</csx:link></p>`,
      '<csx:link>other.jpg</csx:link>',
    ];
    const { links: read } = await edit('summer:1', {
      action: 'create',
      id: itemId('summer:1'),
      payload: item(`<guid>1</guid>${links.join('')}`),
      tree: { feed: 'summer' },
    });
    expect(
      read.map(({ url, target }) => [url, target && 'file' in target ? target.name : undefined]),
    ).toEqual([
      [undefined, 'a.jpg'],
      [`${publicUrl}/feeds/photos/other.jpg`, undefined],
    ]);
    const nested = await create('2', {
      links: [{ url: feedAddress(publicUrl, photosKey, 'beach'), nestedFeed: true }],
    });
    expect(nested.links).toMatchObject([{ nestedFeed: true, target: { feed: 'beach' } }]);
  });

  test('takes its guid, and whether it is hidden, from its payload where nothing else is said', async () => {
    const created = await edit('root:x1', {
      action: 'create',
      id: itemId('root:x1'),
      payload: item(
        '<guid isPermaLink="false">x1</guid><csx:lastBuildDate>01 Jan 2001 00:00:00 GMT</csx:lastBuildDate>',
        ' csx:hiddenItem="true"',
      ),
    });
    expect(created).toMatchObject({ guid: 'x1', hidden: true, data: { children: [{ name: 'guid' }] } });
  });

  test('keeps the files that it refers to from being removed', async () => {
    await store.contents.markUnreferenced(photosKey, [digest], new Date(0));
    await create('1', { links: [{ file: digest }] });
    expect(await store.contents.removeUnreferenced(photosKey, [digest], now())).toEqual([]);
  });
});

describe('an update', () => {
  test(
    'without a payload replaces the links that stand in the item itself, and leaves those in other ' +
      'elements',
    async () => {
      await edit('root:1', {
        action: 'create',
        id: root1,
        payload: item(
          '<guid>1</guid><csx:link>http://a.example/</csx:link><p><csx:link>http://b.example/</csx:link></p>',
        ),
      });
      const updated = await edit('root:1', { action: 'update', tree: { links: [{ file: digest }] } });
      expect(texts(updated)).toEqual([
        'http://b.example/',
        fileAddress(publicUrl, photosKey, digest, 'file'),
      ]);
      expect(updated).toMatchObject({
        version: 2,
        links: [{ url: 'http://b.example/' }, { target: { file: digest } }],
      });
      expect(texts(await edit('root:1', { action: 'update', tree: { links: [] } }))).toEqual([
        'http://b.example/',
      ]);
    },
  );

  test('with a payload and links has those of both', async () => {
    await create('1');
    const updated = await edit('root:1', {
      action: 'update',
      payload: item('<csx:link>http://a.example/</csx:link><p><csx:link>http://b.example/</csx:link></p>'),
      tree: { links: [{ url: 'http://c.example/' }] },
    });
    expect(texts(updated)).toEqual(['http://b.example/', 'http://c.example/']);
  });

  test('with what the item shows leaves its links as they are', async () => {
    const created = await create('1', {
      links: [{ file: digest, name: 'a.jpg' }, { url: 'http://a.example/?x&y' }],
    });
    const { title: text, payload } = cseItemJson(created);
    expect(
      (
        await edit('root:1', {
          action: 'update',
          payload: payloadFromFields('rss', { title: text, payload }),
        })
      ).links,
    ).toEqual(created.links);
  });

  test('keeps what it does not speak of', async () => {
    await create('1', { feed: 'summer', hidden: true, links: [{ file: digest }] });
    const before = await edit('summer:1', { action: 'update', tree: {} });
    expect(before).toMatchObject({
      feed: 'summer',
      hidden: true,
      version: 2,
      links: [{ target: { file: digest } }],
      position: { parent: 'summer' },
    });
    expect(await edit('summer:1', { action: 'update', tree: { hidden: false } })).toMatchObject({
      hidden: false,
      data: before.data,
      links: before.links,
      position: before.position,
    });
  });
});

describe('a deletion', () => {
  test(
    'leaves nothing that refers to anything; the item comes back with a new payload, and its guid is ' +
      'free meanwhile',
    async () => {
      await create('1', { links: [{ file: digest }, { url: 'http://a.example/' }] });
      expect(await edit('root:1', { action: 'delete' })).toMatchObject({
        deleted: true,
        version: 2,
        links: [],
        data: { children: [] },
      });
      expect(await store.items.referring(photosKey, [digest])).toEqual(new Map());
      await expect(edit('root:1', { action: 'undelete' })).rejects.toThrow('its deletion removed it');
      await expect(edit('root:1', { action: 'update', payload: title('x') })).rejects.toThrow(ItemStateError);
      expect(
        await edit('root:1', {
          action: 'undelete',
          payload: title('again'),
          tree: { links: [{ file: digest }] },
        }),
      ).toMatchObject({ deleted: false, version: 3, guid: '1', links: [{ target: { file: digest } }] });
    },
  );
});

test('an item that once was mirrored can be edited though its publisher kept no rule for guids', async () => {
  await store.feeds.put({
    collection: photosKey,
    id: 'root',
    title: 'root',
    head: [],
    url: 'http://site.example/root.xml',
    createdAt: now(),
  });
  for (const url of ['http://site.example/root.xml', 'http://site.example/sub.xml']) {
    const feed =
      '<rss version="2.0"><channel><title>Theirs</title><item>' +
      '<description>no\nguid</description>' +
      '</item></channel></rss>';
    await cacheDocument(store, collectionKey('photos'), {
      url,
      text: feed,
      isFeed: true,
      lastBuildDate: '2026-01-01T00:00:00Z',
    });
    await mirrorFeed({ store, now, heartbeat: async () => {} }, collection, {
      subscription: source,
      url,
      root: 'http://site.example/root.xml',
    });
  }
  for (const { id } of await store.items.list(photosKey, { limit: 10 }))
    expect(await edit(id, { action: 'update', tree: { hidden: true } })).toMatchObject({
      hidden: true,
      version: 2,
    });
  expect(await store.items.list(photosKey, { limit: 10 })).toHaveLength(2);
});

describe("what a tree can't have is refused", () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['a feed that does not exist', () => create('1', { feed: 'winter' }), 'has no feed "winter"'],
    [
      'a nested feed that does not exist',
      () => create('1', { links: [{ feed: 'winter' }] }),
      'has no feed "winter"',
    ],
    [
      'a file that does not exist',
      () => create('1', { links: [{ file: 'f'.repeat(64) }] }),
      `has no file ${'f'.repeat(64)}`,
    ],
    [
      'a file that does not exist, by its address',
      () => create('1', { links: [{ url: fileAddress(publicUrl, photosKey, 'f'.repeat(64), 'x') }] }),
      'has no file',
    ],
    [
      'two nested feeds',
      () => create('1', { links: [{ feed: 'summer' }, { feed: 'beach' }] }),
      'cse-nested-feed-multiple',
    ],
    [
      'a feed in itself',
      () => create('1', { feed: 'summer', links: [{ feed: 'summer' }] }),
      'can\'t be nested in the feed "summer"',
    ],
    [
      'the root in a feed of its own',
      () => create('1', { feed: 'beach', links: [{ feed: 'root' }] }),
      'can\'t be nested in the feed "beach"',
    ],
    [
      'a guid that another item has',
      () => create('known', { feed: 'summer' }),
      'The item "root:known" has the guid "known"',
    ],
    [
      'a guid that is not that of the payload',
      () => create('1', {}, item('<guid>2</guid>')),
      'it is "1", not "2"',
    ],
    [
      'an item without a guid',
      () => edit('root:', { action: 'create', id: itemId('root:'), payload: title('x') }),
      'this one has none',
    ],
    ["a guid that can't be written", () => create('a\u0001', {}, title('x')), 'no control characters'],
    [
      'an id that is not that of its guid',
      () =>
        edit('root:2', { action: 'create', id: itemId('root:2'), payload: title('x'), tree: { guid: '1' } }),
      'has the id "root:1"',
    ],
    [
      'another feed for an item',
      () => edit('root:known', { action: 'update', tree: { feed: 'summer' } }),
      "can't go to another",
    ],
    [
      'another guid for an item',
      () => edit('root:known', { action: 'update', tree: { guid: '2' } }),
      'never changes',
    ],
    ['a link that is no URL', () => create('1', { links: [{ url: 'a.jpg' }] }), '"a.jpg" is none'],
    [
      'a link to something local',
      () => create('1', { links: [{ url: 'file:///etc/passwd' }] }),
      'http or https',
    ],
    [
      'links of a deletion',
      () => edit('root:known', { action: 'delete', tree: { links: [] } }),
      'To delete an item',
    ],
    [
      'a place among siblings',
      () => edit('root:known', { action: 'update', place: { position: 1 } }),
      'have no order',
    ],
    ['a resolution', () => edit('root:known', { action: 'resolve', keep: 'winner' }), 'no conflicts'],
    [
      'noconflicts',
      () =>
        edit('root:1', {
          action: 'create',
          id: root1,
          payload: title('x'),
          noconflicts: true,
          tree: { guid: '1' },
        }),
      'noconflicts',
    ],
    [
      'a tombstone from birth',
      () =>
        edit('root:1', {
          action: 'create',
          id: root1,
          payload: title('x'),
          deleted: true,
          tree: { guid: '1' },
        }),
      'no deleted items',
    ],
  ])('%s', async (_what, refused, message) => {
    await create('nests summer', { links: [{ feed: 'summer' }] });
    await create('nests beach', { feed: 'summer', links: [{ feed: 'beach' }] });
    await create('known');
    await expect(refused()).rejects.toThrow(InvalidEditError);
    await expect(refused()).rejects.toThrow(message);
  });

  test('an id that is taken, also by a deleted item', async () => {
    await create('1');
    await expect(create('1')).rejects.toThrow(ItemExistsError);
    await edit('root:1', { action: 'delete' });
    await expect(create('1')).rejects.toThrow(ItemExistsError);
    expect(await create('1', { feed: 'summer' })).toMatchObject({ guid: '1' });
  });

  test('a csx:link in a payload that breaks a rule', async () => {
    const broken = create('1', {}, item('<csx:link/>'));
    await expect(broken).rejects.toThrow(FeedError);
    await expect(broken).rejects.toMatchObject({ violation: { rule: 'cse-link-empty' } });
  });

  test('any edit of a mirror', async () => {
    await create('1');
    const subscription = sampleSubscription({
      collection: photosKey,
      id: source,
      url: 'http://site.example/root.xml',
      createdAt: now(),
    });
    await store.subscriptions.put(subscription);
    for (const refused of [
      () => create('2'),
      () => edit('root:1', { action: 'update', payload: title('x') }),
      () => edit('root:1', { action: 'delete' }),
    ]) {
      await expect(refused()).rejects.toThrow(
        "is a mirror of http://site.example/root.xml; its items are the publisher's",
      );
    }
    await store.subscriptions.remove(photosKey, source);
    expect(await edit('root:1', { action: 'delete' })).toMatchObject({ deleted: true });
  });

  test('what a tree says of an item, in a collection that is none', async () => {
    const shared: Collection = { ...collection, protocol: 'feedsync' };
    await expect(
      editItem(ports, shared, itemId('a'), {
        action: 'create',
        id: itemId('a'),
        payload: title('a'),
        tree: {},
      }),
    ).rejects.toThrow('is no tree of feeds');
  });
});

test('the items of a feed that is removed can be created in another one', async () => {
  await create('1', { feed: 'summer' });
  expect(await removeFeed(ports, collection, 'summer')).toBe(1);
  expect(await create('1', { feed: 'beach' })).toMatchObject({ feed: 'beach' });
});
