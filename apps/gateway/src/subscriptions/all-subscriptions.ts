import { pagesOf } from '#core';
import type { CollectionKey, Store, Subscription } from '#core';

/** How many are read at once. */
const batch = 500;

/** Every subscription of a collection, in order of id; with `hasMarkup` as `SubscriptionStore.list` says. */
export async function allSubscriptions(
  { subscriptions }: Pick<Store, 'subscriptions'>,
  collection: CollectionKey,
  filter: { readonly hasMarkup?: true } = {},
): Promise<Subscription[]> {
  const all: Subscription[] = [];
  const pages = pagesOf(
    (page) => subscriptions.list(collection, { ...page, ...filter }),
    ({ id }) => id,
    batch,
  );
  for await (const page of pages) all.push(...page);
  return all;
}
