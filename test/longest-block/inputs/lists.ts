import type { LargeInput } from '../large-input.ts';

/** GATEWAY_PAGE_ITEMS and GATEWAY_PAGE_BYTES of the lists that other inputs do not read. */
export const listInputs: readonly LargeInput[] = [
  {
    name: 'GATEWAY_PAGE_ITEMS: lists',
    send: async (world) => {
      for (let count = 0; count < 1000; count += 1)
        await world.collection({ protocol: 'feedsync', format: 'atom' });
      for (const list of ['collections', 'dead-letters', 'subscriptions', 'keys', 'tenants'])
        await world.request('GET', `/v1/${list}?limit=1000`);
    },
  },
  {
    name: 'GATEWAY_PAGE_ITEMS: a page of the audit log, and all of it',
    send: async (world) => {
      await world.request('GET', '/v1/audit?limit=1000');
      await world.request('GET', '/v1/audit', { headers: { accept: 'application/x-ndjson' } });
    },
  },
];
