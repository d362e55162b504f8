import type { Store, Subscription } from '#core';

/** How many are read at once. */
const batch = 500;

/** Every subscription of a collection, in order of id. */
export async function allSubscriptions(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  collection: string,
): Promise<Subscription[]> {
  const all: Subscription[] = [];
  let read: Subscription[];
  do {
    const after = all.at(-1)?.id;
    read = await subscriptions.list(collection, { ...(after !== undefined && { after }), limit: batch });
    all.push(...read);
  } while (read.length === batch);
  return all;
}
