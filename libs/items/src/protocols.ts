import type { Collection } from '#ports';
import { feedsyncProtocol } from './feedsync-protocol.ts';
import type { Protocol } from './protocol.ts';
import { sseProtocol } from './sse-protocol.ts';

/** Every protocol that a collection can have. */
export const protocols: Readonly<Record<Collection['protocol'], Protocol>> = {
  feedsync: feedsyncProtocol,
  sse: sseProtocol,
};
