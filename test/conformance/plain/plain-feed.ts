import { deepStrictEqual } from 'node:assert/strict';
import { inheritedIn, inPlace, withoutInherited } from './inherited.ts';
import type { Inherited } from './inherited.ts';
import { elementsIn, readPlainElement } from './plain-element.ts';
import type { PlainElement } from './plain-element.ts';

/** A version of an item as it stands in a feed: names, attributes and text. */
interface PlainVersion {
  readonly kind: string;
  readonly attributes: PlainElement['attributes'];
  /** What stands in it beside `sx:sync`, in order, each with the language and the base that it has there. */
  readonly children: readonly (PlainElement | string)[];
  readonly sync: PlainSync | undefined;
}

interface PlainSync {
  readonly attributes: PlainElement['attributes'];
  readonly history: readonly PlainElement[];
  readonly conflicts: readonly PlainConflicts[];
  readonly foreign: readonly (PlainElement | string)[];
}

interface PlainConflicts {
  readonly attributes: PlainElement['attributes'];
  /** In an order that comes from what they say. */
  readonly items: readonly PlainVersion[];
  readonly foreign: readonly (PlainElement | string)[];
}

const atom = 'http://www.w3.org/2005/Atom';
const feedSync = 'http://feedsync.org/2007/feedsync';
const ownedByPublisher: ReadonlySet<string> = new Set(['id', 'updated', 'author']);

/**
 * Compares the items of two feeds that have `sx:sync`, by a walk over their XML that uses nothing of what is
 * under test. What the publisher owns of an Atom entry is compared with `publisher` only. Throws an
 * AssertionError if they differ, and an Error if one is not well-formed or no feed.
 */
export function compareFeeds(
  actual: string,
  expected: string,
  compared: { readonly publisher: boolean } = { publisher: false },
): void {
  const meaningOf = (text: string): PlainVersion[] =>
    itemsOf(text, compared.publisher ? () => true : isShared).toSorted(byIdAndText);
  deepStrictEqual(meaningOf(actual), meaningOf(expected));
}

type Filter = (child: PlainElement) => boolean;

function itemsOf(text: string, isCompared: Filter): PlainVersion[] {
  const root = readPlainElement(text);
  const outer = inheritedIn(root);
  const [container, inherited] =
    root.namespace === atom && root.name === 'feed' ? [root, outer] : channelOf(root, outer);
  return elementsIn(container)
    .filter(isItem)
    .map((item) => plainVersion(item, inherited, isCompared))
    .filter(({ sync }) => sync !== undefined);
}

function channelOf(root: PlainElement, outer: Inherited): [PlainElement, Inherited] {
  const channel = elementsIn(root).find(({ name }) => name === 'channel');
  if (channel === undefined) throw new Error(`A document of ${root.name} is no feed.`);
  return [channel, inheritedIn(channel, outer)];
}

function plainVersion(item: PlainElement, outer: Inherited, isCompared: Filter): PlainVersion {
  const inherited = inheritedIn(item, outer);
  const [sync] = elementsIn(item).filter((child) => isFeedSync(child, 'sync'));
  const children = item.children.filter(
    (child) => typeof child === 'string' || (child !== sync && isCompared(child)),
  );
  return {
    kind: `{${item.namespace}}${item.name}`,
    attributes: withoutInherited(item.attributes),
    children: inPlace(children, inherited),
    sync: sync && plainSync(sync, inherited, isCompared),
  };
}

function plainSync(sync: PlainElement, outer: Inherited, isCompared: Filter): PlainSync {
  const inherited = inheritedIn(sync, outer);
  const { deleted, ...attributes } = sync.attributes;
  return {
    attributes: deleted === undefined || deleted === 'false' ? attributes : { ...attributes, deleted },
    history: elementsIn(sync)
      .filter((child) => isFeedSync(child, 'history'))
      .map((entry) => ({ ...entry, children: inPlace(entry.children, inheritedIn(entry, inherited)) })),
    conflicts: elementsIn(sync)
      .filter((child) => isFeedSync(child, 'conflicts'))
      .map((conflicts) => plainConflicts(conflicts, inherited, isCompared)),
    foreign: inPlace(
      sync.children.filter(
        (child) =>
          typeof child === 'string' || !(isFeedSync(child, 'history') || isFeedSync(child, 'conflicts')),
      ),
      inherited,
    ),
  };
}

function plainConflicts(conflicts: PlainElement, outer: Inherited, isCompared: Filter): PlainConflicts {
  const inherited = inheritedIn(conflicts, outer);
  return {
    attributes: conflicts.attributes,
    items: elementsIn(conflicts)
      .filter(isItem)
      .map((item) => plainVersion(item, inherited, isCompared))
      .toSorted(byIdAndText),
    foreign: inPlace(
      conflicts.children.filter((child) => typeof child === 'string' || !isItem(child)),
      inherited,
    ),
  };
}

function isItem({ namespace, name }: PlainElement): boolean {
  return namespace === atom ? name === 'entry' : name === 'item';
}

function isFeedSync(element: PlainElement, name: string): boolean {
  return element.namespace === feedSync && element.name === name;
}

function isShared({ namespace, name, attributes }: PlainElement): boolean {
  return (
    namespace !== atom || !(ownedByPublisher.has(name) || (name === 'link' && attributes['rel'] === 'edit'))
  );
}

function byIdAndText(a: PlainVersion, b: PlainVersion): number {
  const [one, other] = [a, b].map((version) => JSON.stringify([version.sync?.attributes['id'], version]));
  return one === other ? 0 : (one ?? '') < (other ?? '') ? -1 : 1;
}
