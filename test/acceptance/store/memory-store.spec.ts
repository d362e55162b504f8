import { createMemoryStore } from '#in-memory';
import { describeStore } from './store.acceptance.ts';

describeStore('memory', async (itemBytes) => ({
  store: createMemoryStore({ clock: { now: () => new Date() }, itemBytes }),
  async close() {},
}));
