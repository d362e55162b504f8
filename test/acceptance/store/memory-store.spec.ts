import { createMemoryStore } from '#memory';
import { describeStore } from './store.acceptance.ts';

describeStore('memory', async () => ({
  store: createMemoryStore({ clock: { now: () => new Date() } }),
  async close() {},
}));
