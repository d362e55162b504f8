import type { Payload } from '#feed-xml';
import type { ForeignMarkup, Item } from '#feedsync';

const ownedByPublisher: ReadonlySet<string> = new Set(['id', 'updated', 'author']);
const none: ReadonlySet<string> = new Set();

/** What two feeds are compared by: items by id, conflicts as a set, shared children without the way they declare namespaces. */
export function meaningOf(items: Iterable<Item<Payload>>): unknown {
  return feedMeaning(items, ownedByPublisher);
}

/** The same with all children, the publisher's too. */
export function publishedMeaningOf(items: Iterable<Item<Payload>>): unknown {
  return feedMeaning(items, none);
}

function feedMeaning(items: Iterable<Item<Payload>>, leftOut: ReadonlySet<string>): object[] {
  return [...items].toSorted((a, b) => (a.sync.id < b.sync.id ? -1 : 1)).map((item) => itemMeaning(item, leftOut));
}

function itemMeaning({ sync, data, conflicts }: Item<Payload>, leftOut: ReadonlySet<string>): object {
  const children = data.children
    .filter(({ name }) => !leftOut.has(name))
    .map(({ namespace, name, xml }) => [namespace, name, withoutDeclarations(xml)]);
  const conflictSet = conflicts.map((conflict) => JSON.stringify(itemMeaning(conflict, leftOut))).toSorted();
  const { id, updates, deleted, noconflicts = false } = sync;
  const history = sync.history.map(({ sequence, when, by, foreign }) => ({ sequence, when, by, foreign: foreignMeaning(foreign) }));
  return { id, updates, deleted, noconflicts, history, foreign: foreignMeaning(sync.foreign), children, conflictSet, ...(conflicts.length > 0 && { conflictsForeign: foreignMeaning(sync.conflictsForeign) }) };
}

function foreignMeaning(foreign: ForeignMarkup | undefined): object | undefined {
  return foreign && { attributes: foreign.attributes, children: foreign.children.map(withoutDeclarations) };
}

function withoutDeclarations(xml: string): string {
  return xml.replaceAll(/ xmlns(:\w+)?="[^"]*"/g, '');
}
