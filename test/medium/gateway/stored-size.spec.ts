import { beforeAll, expect, test } from '@jest/globals';
import { collectionKey, itemId, subscriptionId } from '#core';
import type { ItemId } from '#core';
import { until } from '../../support/until.ts';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';
import { sendCommand } from './send-command.ts';

const notesKey = collectionKey('notes');

const items = '/v1/collections/notes/items';
const long = 'x'.repeat(21_000);

const gateway = useGateway({ ITEM_STORED_BYTES: '20000' });
beforeAll(async () => {
  await gateway.send('PUT', '/v1/collections/notes', { endpoint: 'here' });
  await gateway.send('PUT', '/v1/collections/reading', { format: 'opml', endpoint: 'here' });
});

async function expectTooLarge(response: Response): Promise<void> {
  expect(await problemIn(response)).toMatchObject({
    status: 413,
    rule: 'item-too-large',
    detail: expect.stringMatching(
      /would take \d{5,6} bytes .* 20000 are allowed \(setting ITEM_STORED_BYTES\)/,
    ),
  });
}

async function revisionOf(id: ItemId): Promise<number | undefined> {
  return (await gateway.store.items.load(notesKey, [id])).get(id)?.revision;
}

test('an item that is too large to be stored is not created', async () => {
  await expectTooLarge(await gateway.send('POST', items, { id: 'large', content: long }));
  await expectTooLarge(
    await gateway.send(
      'POST',
      items,
      `<entry xmlns="http://www.w3.org/2005/Atom"><title>${long}</title></entry>`,
      { 'content-type': 'application/atom+xml' },
    ),
  );
  expect(await revisionOf(itemId('large'))).toBeUndefined();
  expect((await gateway.send('POST', items, { id: 'large', content: 'short' })).status).toBe(201);
});

test('an item that would be too large stays as it was, whatever the edit', async () => {
  await gateway.send('POST', items, { id: 'grown', content: 'short' });
  await expectTooLarge(await gateway.send('PUT', `${items}/grown`, { content: long }));
  expect(await revisionOf(itemId('grown'))).toBe(1);
  await gateway.send('DELETE', `${items}/grown`);
  await expectTooLarge(await gateway.send('POST', `${items}/grown/undelete`, { content: long }));
  expect(await revisionOf(itemId('grown'))).toBe(2);
});

test('a resolution that would make an item too large changes nothing', async () => {
  const sync = (by: string): string =>
    `<sx:sync id="both" updates="1"><sx:history sequence="1" when="2026-01-01T00:00:00Z" by="${by}"/>` +
    '</sx:sync>';
  for (const by of ['a', 'b']) {
    const xml =
      '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
      `<title>${by}</title>${sync(by)}</entry>`;
    await gateway.store.deadLetters.add([
      {
        id: `notes.${by}`,
        collection: notesKey,
        subscription: subscriptionId(by),
        kind: 'item',
        fragment: { xml, line: 1, column: 1, id: 'both' },
        violations: [],
        at: new Date(),
      },
    ]);
    expect((await gateway.send('POST', `/v1/dead-letters/notes.${by}/retry`)).status).toBe(204);
  }
  await expectTooLarge(
    await gateway.send('POST', `${items}/both/resolve`, { keep: 'winner', data: { content: long } }),
  );
  expect((await gateway.store.items.load(notesKey, [itemId('both')])).get(itemId('both'))).toMatchObject({
    revision: 2,
    conflictCount: 1,
  });
});

test(
  'an item of SSE, an outline and an item of a tree that are too large are not created, nor is an item ' +
    'grown by a patch',
  async () => {
    await gateway.send('PUT', '/v1/collections/simple', { protocol: 'sse', format: 'rss', endpoint: 'here' });
    await gateway.send('PUT', '/v1/collections/tree', { protocol: 'cse', endpoint: 'here' });
    await expectTooLarge(
      await gateway.send('POST', '/v1/collections/simple/items', { id: 'large', title: 'T', content: long }),
    );
    await expectTooLarge(
      await gateway.send(
        'POST',
        '/v1/collections/simple/items',
        `<item><title>T</title>${'<category/>'.repeat(4000)}</item>`,
        { 'content-type': 'application/rss+xml' },
      ),
    );
    await expectTooLarge(
      await gateway.send('POST', '/v1/collections/reading/items', { attributes: { text: long } }),
    );
    await expectTooLarge(
      await gateway.send('POST', '/v1/collections/tree/items', {
        feed: 'root',
        guid: 'large',
        title: 'T',
        content: long,
      }),
    );
    await gateway.send('POST', items, { id: 'patched', content: 'short' });
    await expectTooLarge(
      await gateway.send(
        'PATCH',
        `${items}/patched`,
        { content: long },
        { 'content-type': 'application/merge-patch+json' },
      ),
    );
    expect(await revisionOf(itemId('patched'))).toBe(1);
    for (const name of ['simple', 'reading', 'tree'])
      expect(await gateway.store.items.list(collectionKey(name), { limit: 10 })).toEqual([]);
  },
);

test('an outline that is too large to be stored is not imported', async () => {
  const outlines = `<outline text="a"/><outline text="${long}"/>`;
  const document = `<opml version="1.0"><head/><body>${outlines}</body></opml>`;
  await expectTooLarge(
    await gateway.send('POST', '/v1/collections/reading/outline', document, {
      'content-type': 'text/x-opml',
    }),
  );
  expect(await gateway.store.items.list(collectionKey('reading'), { limit: 10 })).toEqual([]);
});

test('a dead letter of an item that is too large stays one', async () => {
  const fragment = {
    xml:
      '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
      `<title>${long}</title><sx:sync id="huge" updates="1"><sx:history sequence="1" by="b"/></sx:sync>` +
      '</entry>',
    line: 1,
    column: 1,
    id: 'huge',
  };
  await gateway.store.deadLetters.add([
    {
      id: 'notes.huge',
      collection: notesKey,
      subscription: subscriptionId('b'),
      kind: 'item',
      fragment,
      violations: [],
      at: new Date(),
    },
  ]);
  expect(await problemIn(await gateway.send('POST', '/v1/dead-letters/notes.huge/retry'))).toMatchObject({
    status: 422,
    rule: 'rejected-again',
  });
  expect(await gateway.store.deadLetters.find('notes.huge')).toBeDefined();
});

test("a dead letter that was too large to be kept whole can't be taken in again, and says so", async () => {
  await gateway.store.deadLetters.add([
    {
      id: 'notes.part',
      collection: notesKey,
      subscription: subscriptionId('b'),
      kind: 'item',
      fragment: { xml: 'x'.repeat(15_728_640), line: 1, column: 1 },
      violations: [],
      at: new Date(),
    },
  ]);
  expect(await problemIn(await gateway.send('POST', '/v1/dead-letters/notes.part/retry'))).toMatchObject({
    status: 422,
    rule: 'dead-letter-partial',
  });
  expect(await gateway.store.deadLetters.find('notes.part')).toMatchObject({ isPartial: true });
});

test('a command that would make an item too large goes to the dead letters at once', async () => {
  await sendCommand(gateway, 'edit', {
    collection: 'notes',
    action: 'create',
    id: 'commanded',
    item: { content: long },
  });
  const letter = await until(async () =>
    (await gateway.store.deadLetters.list({ collection: notesKey, limit: 10 })).find(
      ({ kind }) => kind === 'command',
    ),
  );
  expect(letter).toMatchObject({
    command: { name: 'edit' },
    violations: [{ message: expect.stringContaining('ITEM_STORED_BYTES') }],
  });
  expect(await revisionOf(itemId('commanded'))).toBeUndefined();
});
