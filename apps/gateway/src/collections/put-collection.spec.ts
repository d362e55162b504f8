import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryQueue, createMemoryStore, MemoryFetchHistory } from '#in-memory';
import { collectionKey } from '#core';
import type { Store } from '#core';
import { gatewayLimits } from '../../../../test/support/gateway-limits.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { JobRequests } from '../jobs/job-requests.ts';
import { putCollection } from './put-collection.ts';
import { raced } from '../../../../test/support/raced.ts';

const news = collectionKey('news');
const clock = { now: () => new Date('2026-01-01T00:00:00Z'), wait: () => Promise.resolve() };

let store: Store;
let ports: GatewayPorts;
beforeEach(() => {
  store = createMemoryStore({ clock });
  ports = {
    store,
    jobs: new JobRequests(createMemoryQueue()),
    clock,
    fetches: new MemoryFetchHistory(),
    random: { fraction: () => 0, identifier: () => '1' },
    publicUrl: 'http://here.example',
    endpointBase: async () => 'here',
    ...gatewayLimits(),
  };
});

/** What the gateway needs of the world, with these collections. */
const portsWith = (collections: Store['collections']): GatewayPorts => ({
  ...ports,
  store: { ...store, collections },
});

describe('a request to put a collection, beside another request', () => {
  test('that creates it: changes it', async () => {
    const racing = raced(store.collections, 'create', () => putCollection(ports, news, { title: 'Theirs' }));
    const { created, collection } = await putCollection(portsWith(racing), news, { title: 'Ours' });
    expect([created, collection.title]).toEqual([false, 'Ours']);
    expect(await store.collections.find(news)).toMatchObject({ title: 'Ours' });
  });

  test('that removes it: creates it again', async () => {
    await putCollection(ports, news, { title: 'Theirs' });
    const racing = raced(store.collections, 'update', () => store.collections.remove(news));
    expect(await putCollection(portsWith(racing), news, { title: 'Ours' })).toMatchObject({ created: true });
    expect(await store.collections.find(news)).toMatchObject({ title: 'Ours' });
  });

  test('whose removal ends just then: creates it', async () => {
    const taken = raced(store.collections, 'create', () => putCollection(ports, news, {}));
    const racing = raced(taken, 'isBeingRemoved', () => store.collections.remove(news));
    expect(await putCollection(portsWith(racing), news, { title: 'Ours' })).toMatchObject({ created: true });
  });
});
