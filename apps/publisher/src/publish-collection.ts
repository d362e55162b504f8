import type { PublishJob } from '#contracts';
import type { Collection } from '#core';
import { composeBlock, fittingBlock, publicationTimeOf } from '#items';
import { followLog } from './follow-log.ts';
import { isNothing, pendingOf } from './pending-changes.ts';
import type { PendingChanges } from './pending-changes.ts';
import { publishHeads } from './publish-heads.ts';
import { blockBytesOf } from './publish-ports.ts';
import type { PublishPorts, PublishSettings } from './publish-ports.ts';
import { withItems } from './with-items.ts';

/**
 * Follows the log of one collection, and, unless the job is to follow alone, publishes what is pending in it:
 *
 *     log ─▶ dates of a tree, stream, window          pending ─▶ block in the log ─▶ followed
 *
 * Writers publish most items themselves; what is pending are notices, items of collections whose events have
 * the items or whose feeds state times, the feeds of trees whose title or head is another, and whatever is to
 * be published again. Several publishers, and writers, may do this at once: one of them publishes the next
 * block, and each may follow it.
 */
export async function publishCollection(
  ports: PublishPorts,
  settings: PublishSettings,
  { collection: key, follow }: PublishJob,
): Promise<void> {
  for (;;) {
    const collection = await ports.store.collections.find(key);
    if (collection === undefined) return;
    const [pending] = await Promise.all([
      follow ? undefined : pendingOf(ports.store, collection, settings.block),
      followLog(ports, settings, collection),
    ]);
    if (pending === undefined || isNothing(pending)) return;
    await publishPending(ports, settings, collection, pending);
  }
}

/** Publishes what is pending in one block, as far as it fits; nothing if somebody else was faster. */
async function publishPending(
  ports: PublishPorts,
  settings: PublishSettings,
  collection: Collection,
  { items: pending, notices, heads }: PendingChanges,
): Promise<void> {
  const { store, clock, publicUrl } = ports;
  const blockBytes = blockBytesOf(settings);
  const items = await withItems(ports, collection, pending, blockBytes);
  const now = clock.now();
  const at = publicationTimeOf(collection, now);
  const ahead = aheadOf(at, now);
  if (ahead > 0) await clock.wait(ahead);
  if (items.length + notices.length === 0) return publishHeads(store, collection, heads, at);
  const block = composeBlock({ collection, items, notices, publicUrl, now });
  await store.collections.publish(collection, {
    ...fittingBlock(block, blockBytes),
    ...(heads.length > 0 && { heads }),
  });
}

/**
 * Milliseconds to wait so that times do not run ahead of the clock where every block needs a second of its
 * own; a second at the most, whatever the clock says.
 */
function aheadOf(at: Date, now: Date): number {
  return Math.min(Math.max(0, at.getTime() - now.getTime() - 1000), 1000);
}
