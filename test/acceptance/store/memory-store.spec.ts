import { createMemoryStore } from '#in-memory';
import { describeStore } from './store.acceptance.ts';

describeStore('memory', async (itemBytes, compose) => ({
  store: createMemoryStore({ clock: { now: () => new Date() }, itemBytes, compose }),
  async close() {},
}));
