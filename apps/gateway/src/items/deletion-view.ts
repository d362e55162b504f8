import type { DeletionView } from '#contracts';
import { pathSegment } from '#contracts';
import { itemUrl } from '#protocol';
import { nameOf } from '#core';
import type { BranchDeletion } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';

/** A deletion as the HTTP interface shows it. */
export function deletionView(
  { publicUrl, configuration }: Pick<GatewayPorts, 'publicUrl' | 'configuration'>,
  { collection, id, item, done, total, requestedAt, endedAt, failure }: BranchDeletion,
): DeletionView {
  const name = nameOf(collection);
  const ended = failure === undefined ? 'done' : 'failed';
  return {
    id,
    collection: name,
    item,
    state: endedAt === undefined ? 'in-progress' : ended,
    done,
    total,
    requestedAt: requestedAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
    detail:
      failure ??
      `An outline with more than ${configuration.GATEWAY_DELETE_ITEMS} outlines in it (setting ` +
        'GATEWAY_DELETE_ITEMS) is deleted in steps.',
    links: {
      self: `${publicUrl}/v1/collections/${name}/deletions/${pathSegment(id)}`,
      item: itemUrl(publicUrl, collection, item),
    },
  };
}
