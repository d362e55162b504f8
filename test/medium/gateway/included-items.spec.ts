import { describe, expect, jest, test } from '@jest/globals';
import { consumeChanges } from '#client';
import { changeEvent, formatCursor } from '#contracts';
import type { ChangeEvent, ItemEvent } from '#contracts';
import { collectionKey } from '#core';
import { openEventStream } from '#queue';
import { systemClock } from '#service';
import { lastBlock } from '../../support/published-blocks.ts';
import { publishCollection } from '../../../apps/publisher/src/publish-collection.ts';
import { useGateway } from './use-gateway.ts';

const gateway = useGateway();

const path = (name: string, rest = ''): string => `/v1/collections/${name}${rest}`;

async function make(name: string, body: object = {}, settings: object = { includeItem: true }) {
  expect((await gateway.send('PUT', path(name), { ...body, settings })).status).toBe(201);
}

async function add(name: string, item: object): Promise<string> {
  const response = await gateway.send('POST', path(name, '/items'), item);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

async function itemEvents(name: string): Promise<ItemEvent[]> {
  await gateway.publish(name);
  const response = await gateway.send('GET', path(name, '/changes'));
  const { changes } = (await response.json()) as { changes: ItemEvent[] };
  for (const change of changes) expect(changeEvent.safeParse(change).error).toBeUndefined();
  return changes;
}

const shown = async (name: string, id: string): Promise<unknown> =>
  (await gateway.send('GET', path(name, `/items/${id}`))).json();

describe('in a collection with includeItem', () => {
  test.each([
    ['atom', {}, { title: 'Milk', content: '<b>two</b>', contentType: 'html', categories: ['food'] }],
    ['outlines', { protocol: 'sse', format: 'opml' }, { attributes: { text: 'News' } }],
    ['tree', { protocol: 'cse' }, { feed: 'root', guid: 'story', title: 'Story' }],
  ])('an event has the item as the API shows it: %s', async (name, body, item) => {
    await make(name, body);
    const id = await add(name, item);
    const [event] = await itemEvents(name);
    const { lastBuildDate: _publishedSince, ...expected } = (await shown(name, id)) as {
      lastBuildDate?: string;
    };
    expect(event?.data.item).toEqual(expected);
    expect(event?.data).not.toHaveProperty('itemOmitted');
  });

  test('server-sent events and the stream in Redis have the item too', async () => {
    await make('streamed');
    await add('streamed', { id: 'a', title: 'A' });
    const stream = openEventStream({ redisUrl: gateway.redisUrl });
    const ports = { store: gateway.store, stream, clock: systemClock, publicUrl: gateway.url };
    const settings = { block: 100, retention: 100 };
    await publishCollection(ports, settings, { version: 1, collection: collectionKey('streamed') });
    await stream.close();
    const item = await shown('streamed', 'a');
    const response = await gateway.send('GET', path('streamed', '/changes?mode=stream'));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect((JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as ItemEvent).data.item).toEqual(item);
    const consumer = { redisUrl: gateway.redisUrl, group: 'g', consumer: 'c' };
    let consumed: ChangeEvent | undefined;
    for await (const event of consumeChanges(consumer)) {
      consumed = event;
      break;
    }
    expect(consumed).toMatchObject({ data: { item } });
  });

  test('an item that is too long is left out, which the event says', async () => {
    await make('long');
    await add('long', { id: 'long', content: 'x'.repeat(262_144) });
    await add('long', { id: 'fits', content: 'x'.repeat(261_000) });
    expect((await itemEvents('long')).map(({ data }) => [data.itemOmitted, data.item?.id])).toEqual([
      [true, undefined],
      [undefined, 'fits'],
    ]);
  });

  test('many long items are published in several blocks, in order', async () => {
    await make('many');
    const ids = Array.from({ length: 24 }, (_, number) => `${number}`.padStart(2, '0'));
    for (const id of ids) await add('many', { id, content: 'x'.repeat(240_000) });
    await gateway.publish('many');
    const found: string[] = [];
    for (let since = formatCursor(0); found.length < ids.length;) {
      const response = await gateway.send('GET', path('many', `/changes?since=${since}`));
      const { changes, next } = (await response.json()) as { changes: ItemEvent[]; next: string };
      found.push(...changes.map(({ data }) => data.item?.id ?? ''));
      since = next;
    }
    expect(found).toEqual(ids);
    const last = await lastBlock(gateway.store, collectionKey('many'));
    expect(last?.events.length).toBeLessThan(ids.length);
  });

  test('the event of a deleted item has none', async () => {
    await make('deleted');
    await add('deleted', { id: 'a', title: 'A' });
    await gateway.publish('deleted');
    await gateway.send('DELETE', path('deleted', '/items/a'));
    const [, event] = await itemEvents('deleted');
    expect(event?.type).toBe('feedmesh.item.deleted.v1');
    expect(event?.data).not.toHaveProperty('item');
  });
});

test('in another collection no item is read, and no event has one', async () => {
  await make('without', {}, {});
  await add('without', { id: 'a', title: 'A' });
  const load = jest.spyOn(gateway.store.items, 'loadInSteps');
  const [event] = await itemEvents('without');
  expect(event?.data).not.toHaveProperty('item');
  expect(load).not.toHaveBeenCalled();
});
