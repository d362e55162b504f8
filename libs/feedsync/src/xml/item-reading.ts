import { finish } from '#core';
import type { Steps } from '#core';
import { syncTreeSteps } from './sync-tree.ts';
import { feedItemFormat } from './sync-tree.ts';
import type { RuleName } from './rule.ts';
import { feedsyncVocabulary } from './vocabulary.ts';
import { feedsyncRules } from './rule.ts';
import type { Item, Sync } from '../engine/item.ts';
import {
  ViolationList,
  quote,
  notAnItem,
  rejectBroken,
  ItemLength,
  payloadOf,
  checkAttributes,
  checkElements,
  versionLimits,
  defaultItemLimits,
} from '#xml';
import { isSync } from './sync-tree.ts';
import type {
  Fragment,
  FeedFormat,
  Payload,
  XmlElement,
  ItemLimits,
  ReadingContext,
  ParseResult,
} from '#xml';
import { readSync } from './sync-reading.ts';

interface ReadingOptions {
  readonly limits?: Partial<ItemLimits>;
}

/**
 * Reads one item with its synchronisation data and its conflicts (2.4, 2.5, 2.6), and checks every rule on
 * the way. Conflicts of conflicts are flattened. Throws nothing for bad input: a rejection says why, with the
 * places in the feed.
 */
export function readItem(fragment: Fragment, options: ReadingOptions = {}): ParseResult<Item<Payload>> {
  return finish(readItemSteps(fragment, options));
}

/** Does what `readItem` does, in steps. */
export function readItemSteps(
  fragment: Fragment,
  options: ReadingOptions = {},
): Steps<ParseResult<Item<Payload>>> {
  return rejectBroken<Item<Payload>>(fragment, function* () {
    const root = yield* syncTreeSteps(fragment.xml, versionLimits);
    yield;
    const violations = new ViolationList(fragment, feedsyncRules);
    const format = feedItemFormat(root);
    if (format === undefined)
      throw notAnItem('RFC 4287 4.1.2, RSS 2.0', 'An item is an Atom entry or an RSS item.');
    if (!root.children.some((child) => isSync(child, 'sync'))) {
      checkElements(root.children, [], violations, feedsyncVocabulary);
      return {
        kind: 'plain',
        payload: payloadOf(fragment.xml, root, format, isSyncElement, new ItemLength()),
        violations: violations.all,
      };
    }
    const item = yield* readVersions(root, format, {
      fragment,
      violations,
      limits: { ...defaultItemLimits, ...options.limits },
      length: new ItemLength(),
    });
    return item === undefined || violations.hasErrors
      ? { kind: 'rejected', violations: violations.all }
      : { kind: 'item', item, violations: violations.all };
  });
}

function* readVersions(
  element: XmlElement,
  format: FeedFormat,
  context: ReadingContext<RuleName>,
): Steps<Item<Payload> | undefined> {
  checkElements(element.children, ['sync'], context.violations, feedsyncVocabulary);
  const sync = readOnlySync(element, context);
  yield;
  const conflicts = yield* readConflicts(element, sync, context);
  return sync === undefined
    ? undefined
    : {
        sync,
        data: payloadOf(context.fragment.xml, element, format, isSyncElement, context.length),
        conflicts,
      };
}

function isSyncElement(child: XmlElement): boolean {
  return isSync(child, 'sync');
}

function readOnlySync(element: XmlElement, context: ReadingContext<RuleName>): Sync | undefined {
  const [only, second] = element.children.filter((child) => isSync(child, 'sync'));
  if (second !== undefined)
    context.violations.add(second, 'sync-multiple', 'An item has one sx:sync; this one has more.');
  if (only !== undefined) return readSync(only, context);
  context.violations.add(
    element,
    'conflict-sync-required',
    'An item in sx:conflicts has an sx:sync; this one has none.',
  );
  return undefined;
}

/** The conflicts of an item, and theirs, in document order. */
function* readConflicts(
  element: XmlElement,
  sync: Sync | undefined,
  context: ReadingContext<RuleName>,
): Steps<Item<Payload>[]> {
  const holders = holdersOf(element);
  checkHolders(holders, sync, context);
  const flat: Item<Payload>[] = [];
  for (const nested of holders.flatMap((holder) => holder.children)) {
    const format = feedItemFormat(nested);
    if (format === undefined) {
      context.violations.add(
        nested,
        'conflicts-child',
        `Items belong in sx:conflicts; ${quote(nested.name)} is none, and kept as foreign markup.`,
      );
      continue;
    }
    for (const holder of holdersOf(nested)) {
      if (holdsItems(holder))
        context.violations.add(
          holder,
          'conflicts-nested',
          'The conflicts of an item are a flat list; those of this conflict are put into it.',
        );
    }
    const conflict = yield* readVersions(nested, format, context);
    if (conflict === undefined) continue;
    if (sync !== undefined) checkConflict(nested, conflict.sync, sync, context);
    flat.push({ ...conflict, conflicts: [] });
    for (const inner of conflict.conflicts) flat.push(inner);
  }
  return flat;
}

function holdersOf(element: XmlElement): XmlElement[] {
  return element.children
    .filter((child) => isSync(child, 'sync'))
    .flatMap((sync) => sync.children.filter((child) => isSync(child, 'conflicts')));
}

function holdsItems(holder: XmlElement): boolean {
  return holder.children.some((child) => feedItemFormat(child) !== undefined);
}

function checkHolders(
  holders: readonly XmlElement[],
  sync: Sync | undefined,
  { violations }: ReadingContext<RuleName>,
): void {
  // Those of one sx:sync stand together.
  const second = holders.find((holder, index) => holder.parent === holders[index - 1]?.parent);
  if (second !== undefined)
    violations.add(
      second,
      'conflicts-multiple',
      'An sx:sync has one sx:conflicts; what is in all of them is taken.',
    );
  for (const holder of holders) {
    checkAttributes(holder, violations, feedsyncVocabulary);
    if (sync?.noconflicts === true && holdsItems(holder))
      violations.add(
        holder,
        'sync-noconflicts-conflicts',
        'The conflicts of an item whose noconflicts is "true" are not preserved; this one has some.',
      );
  }
}

function checkConflict(
  element: XmlElement,
  conflict: Sync,
  item: Sync,
  { violations }: ReadingContext<RuleName>,
): void {
  if (conflict.id !== item.id)
    violations.add(
      element,
      'conflict-id',
      `A conflict has the id of its item, ${quote(item.id)}, not ${quote(conflict.id)}.`,
    );
  if (conflict.noconflicts === item.noconflicts) return;
  violations.add(
    element,
    'conflict-noconflicts',
    `A conflict has the noconflicts of its item, which is set once: ${item.noconflicts ?? 'none'}, not ` +
      `${conflict.noconflicts ?? 'none'}.`,
  );
}
