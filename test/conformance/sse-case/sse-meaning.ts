import type { Payload } from '#feed-xml';
import type { ForeignMarkup } from '#feedsync';
import type { Branch, Conflict, Item, Placed } from '#sse';
import type { ItemSet } from './item-set.ts';

/** What two sets of items are compared by: items by id or, where order counts, as the tree they make; conflicts as a set; markup without the way it declares namespaces. */
export function sseMeaningOf(set: ItemSet): unknown {
  if (set.isOrdered) return set.tree().map(branchMeaning);
  return set.items.toSorted((a, b) => (a.sync.id < b.sync.id ? -1 : 1)).map(itemMeaning);
}

function branchMeaning({ item: { item }, children }: Branch<Placed & { readonly item: Item<Payload> }>): object {
  return { ...itemMeaning(item), below: children.map(branchMeaning) };
}

function itemMeaning({ sync, data, conflicts }: Item<Payload>): object {
  const { id, version, deleted, conflict } = sync;
  const history = sync.history.map(({ when, by, foreign }) => ({ when, by, foreign: foreignMeaning(foreign) }));
  const children = data.children.map(({ namespace, name, xml }) => [namespace, name, withoutDeclarations(xml)]);
  const attributes = (data.attributes ?? []).map(({ namespace, name, value }) => [namespace, name, value]);
  const conflictSet = conflicts.map((one) => JSON.stringify(conflictMeaning(one))).toSorted();
  return { id, version, deleted, conflict, history, foreign: foreignMeaning(sync.foreign), attributes, children, conflictSet };
}

/** Whether the item in a conflict was itself in conflict says nothing of what was lost, and depends on who has merged first. */
function conflictMeaning({ version, when, by, item, foreign }: Conflict<Payload>): object {
  return { version, when, by, item: item && { ...itemMeaning(item), conflict: undefined }, foreign: foreignMeaning(foreign) };
}

function foreignMeaning(foreign: ForeignMarkup | undefined): object | undefined {
  return foreign && { attributes: foreign.attributes, children: foreign.children.map(withoutDeclarations) };
}

function withoutDeclarations(xml: string): string {
  return xml.replaceAll(/ xmlns(:\w+)?="[^"]*"/g, '');
}
