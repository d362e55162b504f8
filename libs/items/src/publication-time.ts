import type { Collection } from '#core';
import { protocolOf } from '#protocols';

/**
 * The time that a block of an SSE or CSE collection is published under, in whole seconds: what `until` says
 * from then on (SSE 2.1), and the `csx:lastBuildDate` of its items (CSE). It is later than the last one even
 * within the same second and after the clock went back, since both must grow with every update.
 */
export function publicationTime(now: Date, last: Date): Date {
  const second = Math.floor(now.getTime() / 1000);
  const following = Math.floor(last.getTime() / 1000) + 1;
  return new Date(Math.max(second, following) * 1000);
}

/** The time of what is published next in a collection; never earlier than what was published before it. */
export function publicationTimeOf(collection: Collection, now: Date): Date {
  const { publication, createdAt } = collection;
  const last = publication.updatedAt ?? createdAt;
  if (protocolOf(collection).statesPublicationTimes) return publicationTime(now, last);
  return now > last ? now : last;
}
