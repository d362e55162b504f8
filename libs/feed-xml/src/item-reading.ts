import type { Item, Sync } from '#feedsync';
import { BreachList, quote } from './breach-list.ts';
import type { Breach } from './breach.ts';
import { FeedError } from './feed-error.ts';
import { positionInFeed } from './fragment.ts';
import type { Fragment } from './fragment.ts';
import type { Format, Payload } from './payload.ts';
import { payloadOf } from './payload-reading.ts';
import { defaultItemLimits, readSync } from './sync-reading.ts';
import type { ItemLimits, ReadingContext } from './sync-reading.ts';
import { isSync, itemFormat, readTree } from './tree.ts';
import type { XmlElement } from './tree.ts';

/** What a fragment turned out to be. */
export type ItemReading =
  /** An item of FeedSync; `breaches` are warnings. */
  | { readonly kind: 'item'; readonly item: Item<Payload>; readonly breaches: readonly Breach[] }
  /** An item without `sx:sync`, which takes no part in the synchronisation (2.4). */
  | { readonly kind: 'plain'; readonly payload: Payload }
  /** An item that breaks a rule; `breaches` are all that were found, warnings too. */
  | { readonly kind: 'rejected'; readonly breaches: readonly Breach[] };

/**
 * Reads one item with its synchronisation data and its conflicts (2.4, 2.5, 2.6), and checks every rule on the way. Conflicts of
 * conflicts are flattened. Throws nothing for bad input: a rejection says why, with the places in the feed.
 */
export function readItem(fragment: Fragment, options: { readonly limits?: Partial<ItemLimits> } = {}): ItemReading {
  try {
    const root = readTree(fragment.xml);
    const breaches = new BreachList(fragment);
    const format = itemFormat(root);
    if (format === undefined) {
      breaches.add(root, 'item-root', '2.4', 'An item is an Atom entry or an RSS item.');
      return { kind: 'rejected', breaches: breaches.all };
    }
    if (!root.children.some((child) => isSync(child, 'sync'))) return { kind: 'plain', payload: payloadOf(fragment.xml, root, format) };
    const item = readVersions(root, format, { text: fragment.xml, breaches, limits: { ...defaultItemLimits, ...options.limits } });
    return item === undefined || breaches.hasErrors ? { kind: 'rejected', breaches: breaches.all } : { kind: 'item', item, breaches: breaches.all };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { kind: 'rejected', breaches: [{ ...error.breach, ...positionInFeed(fragment, error.breach) }] };
  }
}

function readVersions(element: XmlElement, format: Format, context: ReadingContext): Item<Payload> | undefined {
  const sync = readOnlySync(element, context);
  const conflicts = readConflicts(element, sync?.id, context);
  return sync === undefined ? undefined : { sync, data: payloadOf(context.text, element, format), conflicts };
}

function readOnlySync(element: XmlElement, context: ReadingContext): Sync | undefined {
  const [only, second] = element.children.filter((child) => isSync(child, 'sync'));
  if (second !== undefined) context.breaches.add(second, 'sync-multiple', '2.4', 'An item has one sx:sync; this one has more.');
  if (only !== undefined) return readSync(only, context);
  context.breaches.add(element, 'conflict-sync-required', '2.6', 'An item in sx:conflicts has an sx:sync; this one has none.');
  return undefined;
}

/** The conflicts of an item, and theirs, in document order. */
function readConflicts(element: XmlElement, id: string | undefined, context: ReadingContext): Item<Payload>[] {
  const holders = element.children.filter((child) => isSync(child, 'sync')).flatMap((sync) => sync.children.filter((child) => isSync(child, 'conflicts')));
  const flat: Item<Payload>[] = [];
  for (const nested of holders.flatMap((holder) => holder.children)) {
    const format = itemFormat(nested);
    if (format === undefined) {
      context.breaches.add(nested, 'conflicts-child', '2.6', `Only items are kept of what is in sx:conflicts, not ${quote(nested.name)}.`, 'warning');
      continue;
    }
    const conflict = readVersions(nested, format, context);
    if (conflict === undefined) continue;
    if (id !== undefined && conflict.sync.id !== id) {
      context.breaches.add(nested, 'conflict-id', '2.6', `A conflict has the id of its item, ${quote(id)}, not ${quote(conflict.sync.id)}.`);
    }
    flat.push({ ...conflict, conflicts: [] }, ...conflict.conflicts);
  }
  return flat;
}
