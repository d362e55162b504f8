import type { CollectionKey } from '#contracts';
import type { DueSubscription } from './subscription.ts';

type Candidate = Pick<DueSubscription, 'collection' | 'host' | 'isSlow'>;

/** How many a batch takes at most. */
interface ShareTerms {
  readonly limit: number;
  /** Of a host (as `hostOf`); as many as the limit if absent. */
  readonly freeAt?: (host: string) => number;
  /** Of slow ones; as many as the limit if absent. */
  readonly slow?: number;
}

/** How many of the longest overdue a batch of this limit looks at. */
export function dueWindow(limit: number): number {
  return Math.max(100, Math.min(4 * limit, 1000));
}

/**
 * Returns those of `due` that a batch takes: of each collection one in turn, in the given order, of each host
 * no more than may be taken, and no more slow ones than that.
 */
export function shareOut<Due extends Candidate>(
  due: readonly Due[],
  { limit, freeAt = () => limit, slow = limit }: ShareTerms,
): Due[] {
  const free = new Map<string, number>();
  let freeSlow = slow;
  const takesPlace = ({ host, isSlow }: Due): boolean => {
    const left = free.get(host) ?? freeAt(host);
    if (left <= 0 || (isSlow === true && freeSlow <= 0)) return false;
    free.set(host, left - 1);
    if (isSlow === true) freeSlow -= 1;
    return true;
  };
  let queues = byCollection(due);
  const taken: Due[] = [];
  while (queues.length > 0) {
    for (const queue of queues) {
      if (taken.length === limit) return taken;
      const next = firstWith(queue, takesPlace);
      if (next !== undefined) taken.push(next);
    }
    queues = queues.filter((queue) => queue.length > 0);
  }
  return taken;
}

/** What is due of each collection, the last one first. */
function byCollection<Due extends Candidate>(due: readonly Due[]): Due[][] {
  const found = new Map<CollectionKey, Due[]>();
  for (const one of due.toReversed()) {
    const others = found.get(one.collection);
    if (others) others.push(one);
    else found.set(one.collection, [one]);
  }
  return [...found.values()].toReversed();
}

/** Removes from the end of a queue until there is one that passes, and returns that. */
function firstWith<Due>(queue: Due[], passes: (one: Due) => boolean): Due | undefined {
  for (let one = queue.pop(); one !== undefined; one = queue.pop()) if (passes(one)) return one;
  return undefined;
}
