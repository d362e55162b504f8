import { beforeEach, describe, expect, test } from '@jest/globals';
import { createMemoryQueue, createMemoryStore } from '#in-memory';
import { collectionKey } from '#core';
import type { Store } from '#core';
import { gatewayLimits } from '../../../../test/support/gateway-limits.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { JobRequests } from '../jobs/job-requests.ts';
import { putCollection } from './put-collection.ts';

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
    random: { fraction: () => 0, identifier: () => '1' },
    publicUrl: 'http://here.example',
    endpointBase: async () => 'here',
    ...gatewayLimits(),
  };
});

/** Does this once, when the method of the collections' store is called next, before the method itself. */
function meanwhile(method: 'create' | 'update' | 'isBeingRemoved', act: () => Promise<unknown>): void {
  const { collections } = store;
  const original = collections[method].bind(collections) as (...given: unknown[]) => Promise<unknown>;
  Object.assign(collections, {
    [method]: async (...given: unknown[]) => {
      Object.assign(collections, { [method]: original });
      await act();
      return original(...given);
    },
  });
}

describe('a request to put a collection, beside another request', () => {
  test('that creates it: changes it', async () => {
    meanwhile('create', () => putCollection(ports, news, { title: 'Theirs' }));
    const { created, collection } = await putCollection(ports, news, { title: 'Ours' });
    expect([created, collection.title]).toEqual([false, 'Ours']);
    expect(await store.collections.find(news)).toMatchObject({ title: 'Ours' });
  });

  test('that removes it: creates it again', async () => {
    await putCollection(ports, news, { title: 'Theirs' });
    meanwhile('update', () => store.collections.remove(news));
    expect(await putCollection(ports, news, { title: 'Ours' })).toMatchObject({ created: true });
    expect(await store.collections.find(news)).toMatchObject({ title: 'Ours' });
  });

  test('whose removal ends just then: creates it', async () => {
    meanwhile('create', () => putCollection(ports, news, {}));
    meanwhile('isBeingRemoved', () => store.collections.remove(news));
    expect(await putCollection(ports, news, { title: 'Ours' })).toMatchObject({ created: true });
  });
});
