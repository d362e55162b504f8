import { finish } from '#core';
import type { Steps } from '#core';
import { sseTreeSteps } from './sync-tree.ts';
import { sseRules } from './rule.ts';
import type { Item } from '../engine/item.ts';
import {
  ViolationList,
  notAnItem,
  rejectBroken,
  ItemLength,
  payloadOf,
  checkElements,
  versionLimits,
  defaultItemLimits,
} from '#xml';
import { isSse, sseItemFormat } from './sync-tree.ts';
import type { Fragment, Payload, ItemLimits, ParseResult } from '#xml';
import { readConflicts } from './conflict-reading.ts';
import { readPosition } from './position-reading.ts';
import { readSync } from './sync-reading.ts';
import { sseVocabulary } from './vocabulary.ts';

interface ReadingOptions {
  readonly limits?: Partial<ItemLimits>;
}

/**
 * Reads one RSS item or OPML outline with its synchronisation data, its conflicts and its position (SSE 2.3
 * to 2.5, 3.2, 5), and checks every rule on the way. Outlines in an outline are items of their own and left
 * out. Throws nothing for bad input: a rejection says why, with the places in the feed.
 */
export function readSseItem(fragment: Fragment, options: ReadingOptions = {}): ParseResult<Item<Payload>> {
  return finish(readSseItemSteps(fragment, options));
}

/** Does what `readSseItem` does, in steps. */
export function readSseItemSteps(
  fragment: Fragment,
  options: ReadingOptions = {},
): Steps<ParseResult<Item<Payload>>> {
  return rejectBroken<Item<Payload>>(fragment, function* () {
    const root = yield* sseTreeSteps(fragment.xml, versionLimits);
    yield;
    const violations = new ViolationList(fragment, sseRules);
    const format = sseItemFormat(root);
    if (format === undefined) throw notAnItem('SSE 2.3', 'An item is an RSS item or an OPML outline.');
    checkElements(root.children, ['sync'], violations, sseVocabulary);
    const length = new ItemLength();
    const payload = payloadOf(fragment.xml, root, format, (child) => isSse(child, 'sync'), length);
    const [only, second] = root.children.filter((child) => isSse(child, 'sync'));
    if (only === undefined) return { kind: 'plain', payload, violations: violations.all };
    if (second !== undefined)
      violations.add(second, 'sse-sync-multiple', 'An item has one sx:sync; this one has more.');
    const context = { fragment, violations, limits: { ...defaultItemLimits, ...options.limits }, length };
    const sync = yield* readSync(only, context);
    const conflicts = sync === undefined ? [] : readConflicts(only, sync, context);
    const position = sync === undefined ? undefined : readPosition(only, sync, fragment.place, context);
    if (sync === undefined || violations.hasErrors) return { kind: 'rejected', violations: violations.all };
    return {
      kind: 'item',
      item: { sync, data: payload, conflicts, ...(position !== undefined && { position }) },
      violations: violations.all,
    };
  });
}
