import { z } from 'zod';
import { eventEnvelope } from './event-envelope.ts';
import { progress } from './http/progress.ts';
import { contracts } from './registry.ts';
import type { Described } from './registry.ts';

const subscription = z.string();

const fetchEvent = z.object({
  ...eventEnvelope,
  type: z.enum([
    'feedmesh.subscription.fetched.v1',
    'feedmesh.subscription.failed.v1',
    'feedmesh.subscription.gone.v1',
  ]),
  data: z.object({ subscription }),
});

const movedEvent = z.object({
  ...eventEnvelope,
  type: z.literal('feedmesh.subscription.moved.v1'),
  data: z.object({
    subscription,
    url: z.string().describe('The address of the feed from now on, where it has moved or was found.'),
    formerUrl: z.string().describe('The address that it had.'),
  }),
});

const resyncedEvent = z.object({
  ...eventEnvelope,
  type: z.literal('feedmesh.subscription.resynced.v1'),
  data: z.object({
    subscription,
    discarded: z.number().int().describe('How many items were discarded (FeedSync 4.1.2).'),
  }),
});

const progressEvent = z.object({
  ...eventEnvelope,
  type: z.literal('feedmesh.subscription.progress.v1'),
  data: z.object({ subscription, progress: progress.describe('How far the walk through a tree is.') }),
});

const notUniqueEvent = z.object({
  ...eventEnvelope,
  type: z.literal('feedmesh.subscription.endpoint-not-unique.v1'),
  data: z.object({
    subscription,
    endpoint: z
      .string()
      .describe('The identifier of this endpoint, with which someone else signs too (FeedSync 2.1.1).'),
  }),
});

/** Something that happened to a subscription. */
export const subscriptionEvent = z
  .discriminatedUnion('type', [fetchEvent, movedEvent, resyncedEvent, progressEvent, notUniqueEvent])
  .register(contracts, {
    id: 'SubscriptionEvent',
    version: 1,
    example: {
      specversion: '1.0',
      id: 'todo:0000000000000043',
      source: 'urn:feedmesh:example.org:todo',
      subject: 'peer',
      type: 'feedmesh.subscription.moved.v1',
      time: '2026-01-01T10:00:06.000Z',
      datacontenttype: 'application/json',
      sequence: '0000000000000043',
      data: {
        subscription: 'peer',
        url: 'https://peer.example/new.atom',
        formerUrl: 'https://peer.example/old.atom',
      },
    },
  });
export type SubscriptionEvent = Described<typeof subscriptionEvent>;
