import type { Clock, Recount, Store } from '#core';
import { storedKinds } from '#core';

/** How long a count may be silent before another merger begins it again, in milliseconds. */
const lease = 60_000;

interface RecountPorts {
  readonly store: { readonly tenants: Pick<Store['tenants'], 'recount'> };
  readonly clock: Pick<Clock, 'now'>;
  /** Called with each usage that was wrong. */
  readonly corrected: (recount: Recount) => void;
}

/**
 * Counts again what is stored of the collections of tenants, one after the other, each of which was not
 * counted for a time, in milliseconds. Several mergers that do so count different collections.
 */
export async function recountTenants(
  { store, clock, corrected }: RecountPorts,
  interval: number,
): Promise<void> {
  for (;;) {
    const recount = await store.tenants.recount(new Date(clock.now().getTime() - interval), lease);
    if (recount === undefined) return;
    if (storedKinds.some((kind) => recount.corrected[kind] !== 0)) corrected(recount);
  }
}
