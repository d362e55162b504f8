import type { Steps } from '#core';

/** The items by a text that each has, or lacks, as they come. */
export function* groups<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string | undefined,
): Steps<Map<string | undefined, Item[]>> {
  const found = new Map<string | undefined, Item[]>();
  for (const item of items) {
    const text = textOf(item);
    const group = found.get(text);
    if (group === undefined) found.set(text, [item]);
    else group.push(item);
    yield;
  }
  return found;
}
