import { z } from 'zod';
import { contracts } from '../registry.ts';
import type { Described } from '../registry.ts';
import { page } from './page.ts';

const example = {
  url: 'https://third.example/todo.atom',
  title: 'Their list',
  foundIn: ['peer'],
  subscribe: {
    method: 'POST' as const,
    url: 'https://here.example/v1/collections/todo/subscriptions',
    body: { url: 'https://third.example/todo.atom' },
  },
};

/** A feed that subscribed feeds have incorporated, and that one might also subscribe to. */
export const discoveredFeed = z
  .object({
    url: z.string(),
    title: z.string().optional(),
    foundIn: z.array(z.string()).describe('The subscriptions whose feeds name it.'),
    subscribe: z
      .object({ method: z.literal('POST'), url: z.string(), body: z.object({ url: z.string() }) })
      .describe('The request that subscribes to it.'),
  })
  .register(contracts, { id: 'DiscoveredFeed', version: 1, example });
export type DiscoveredFeedView = Described<typeof discoveredFeed>;

export const discoveredFeedPage = page('DiscoveredFeedPage', discoveredFeed, example);
