import { pagesOf } from '#core';
import type { CollectionKey, Store } from '#core';

/** An item, or the document of a mirror, with the contents that it refers to. */
interface Referrer {
  readonly kind: 'item' | 'document';
  /** The id, or the URL. */
  readonly name: string;
  readonly digests: readonly string[];
}

/** How many contents, items or documents one step takes. */
export const stepLength = 200;

/** Everything in a collection that refers to contents, some at a time. */
export async function* referrersIn(
  { items, documents }: Pick<Store, 'items' | 'documents'>,
  collection: CollectionKey,
): AsyncGenerator<readonly Referrer[]> {
  const pages = pagesOf(
    (page) => items.list(collection, { ...page, deleted: false }),
    ({ id }) => id,
    stepLength,
  );
  for await (const page of pages)
    yield page.map(({ id, branch }) => ({ kind: 'item', name: id, digests: branch?.files ?? [] }));
  let step: Referrer[] = [];
  for await (const { url, copy } of documents.all(collection)) {
    if (copy !== undefined)
      step.push({
        kind: 'document',
        name: url,
        digests: [copy.digest, ...(copy.parsed ? [copy.parsed] : [])],
      });
    if (step.length < stepLength) continue;
    yield step;
    step = [];
  }
  yield step;
}
