import type { Dialect } from '#feed-xml';
import type { CollectionProtocol, SharedCollection } from '#core';
import { cseProtocol } from './cse-protocol.ts';
import { feedsyncProtocol } from './feedsync-protocol.ts';
import type { Protocol, SharingProtocol } from './protocol.ts';
import { sseProtocol } from './sse-protocol.ts';

const sharingProtocols: Readonly<Record<Dialect, SharingProtocol>> = {
  feedsync: feedsyncProtocol,
  sse: sseProtocol,
};

/** Every protocol that a collection can have. */
export const protocols: Readonly<Record<CollectionProtocol, Protocol>> = {
  ...sharingProtocols,
  cse: cseProtocol,
};

/** The protocol of a collection whose items have versions that are merged. */
export function sharingProtocolOf({ protocol }: Pick<SharedCollection, 'protocol'>): SharingProtocol {
  return sharingProtocols[protocol];
}
