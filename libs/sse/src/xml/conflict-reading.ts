import type { Conflict, Item, Sync } from '../engine/item.ts';
import {
  quote,
  defaultNamespaceOf,
  readForeign,
  usedBindings,
  payloadOf,
  checkAttributes,
  checkElements,
  declareOn,
  scopeOf,
} from '#xml';
import { isSse, sseItemFormat } from './sync-tree.ts';
import type { ItemLength, Payload, Scope, XmlElement } from '#xml';
import { readPosition } from './position-reading.ts';
import { finish } from '#core';
import { readModification, readSync, readVersion } from './sync-reading.ts';
import type { SseContext } from './sync-reading.ts';
import { sseVocabulary } from './vocabulary.ts';

const conflictAttributes: ReadonlySet<string> = new Set(['version', 'when', 'by']);

/**
 * Reads the `sx:conflicts` of an `sx:sync` (5.1) as a flat list in document order; what stands in those of a
 * conflict comes behind it.
 */
export function readConflicts(element: XmlElement, sync: Sync, context: SseContext): Conflict<Payload>[] {
  const { violations } = context;
  const holders = element.children.filter((child) => isSse(child, 'conflicts'));
  const [, second] = holders;
  if (second !== undefined)
    violations.add(
      second,
      'sse-conflicts-multiple',
      'An sx:sync has one sx:conflicts; what is in all of them is taken.',
    );
  return holders.flatMap((holder) => {
    const conflicts = holder.children.filter((child) => isSse(child, 'conflict'));
    if (conflicts.length === 0)
      violations.add(
        holder,
        'sse-conflicts-empty',
        'An sx:conflicts has at least one sx:conflict; this one has none.',
      );
    checkElements(holder.children, ['conflict'], violations, sseVocabulary);
    checkAttributes(holder, violations, sseVocabulary);
    const endpoints = new Set<string>();
    return conflicts.flatMap((conflict) => {
      const by = conflict.tag.attributes['by']?.value ?? '';
      if (by !== '' && endpoints.has(by))
        violations.add(
          conflict,
          'sse-conflict-by-unique',
          `There is one sx:conflict for each by; ${quote(by)} has more.`,
        );
      endpoints.add(by);
      return readConflict(conflict, sync, context);
    });
  });
}

function readConflict(element: XmlElement, sync: Sync, context: SseContext): Conflict<Payload>[] {
  const version = readVersion(element, 'conflict', context);
  const modification = readModification(element, 'conflict', context);
  checkElements(element.children, [], context.violations, sseVocabulary);
  checkAttributes(element, context.violations, sseVocabulary);
  if (version === undefined) return [];
  const [only, second] = element.children.filter((child) => sseItemFormat(child) !== undefined);
  const made: Sync = { id: sync.id, version, deleted: false, conflict: false, history: [modification] };
  const item = only === undefined || second !== undefined ? undefined : readItem(only, made, context);
  const foreign = readForeign(
    element,
    conflictAttributes,
    (child) => item !== undefined && child === only,
    context,
  );
  const conflict = {
    version,
    ...modification,
    ...(item !== undefined && { item: { ...item, conflicts: [] } }),
    ...(foreign !== undefined && { foreign }),
  };
  return [conflict, ...(item?.conflicts ?? [])];
}

/**
 * The item in an `sx:conflict` with the conflicts of its own; undefined if it can't be read or is another
 * item: an application may keep there what it likes (5.2).
 * @param made its synchronisation data if it has none.
 */
function readItem(element: XmlElement, made: Sync, context: SseContext): Item<Payload> | undefined {
  const format = sseItemFormat(element);
  if (format === undefined) return undefined;
  const data = payloadOf(
    context.fragment.xml,
    element,
    format,
    (child) => isSse(child, 'sync'),
    context.length,
  );
  const [only, second] = element.children.filter((child) => isSse(child, 'sync'));
  if (only === undefined) return { sync: made, data, conflicts: [] };
  const { violations } = context;
  const before = violations.mark();
  const sync = second === undefined ? finish(readSync(only, context)) : undefined;
  const position = sync && readPosition(only, sync, undefined, context);
  const conflicts = sync === undefined ? [] : readConflicts(only, sync, context);
  if (sync === undefined || sync.id !== made.id || violations.hasErrorsSince(before)) {
    // What was found in it counts no more.
    violations.forgetSince(before);
    violations.add(
      element,
      'sse-conflict-item',
      `The item in an sx:conflict has one valid sx:sync with the id ${quote(made.id)}, or none; this one ` +
        'is kept as foreign markup.',
    );
    return undefined;
  }
  if (conflicts.length > 0)
    violations.add(
      only,
      'sse-conflict-nested',
      'The conflicts of an item are a flat list; those of this conflict are put into it.',
    );
  return {
    sync,
    data,
    conflicts: conflicts.map((conflict) => lifted(conflict, scopeOf(element), context.length)),
    ...(position !== undefined && { position }),
  };
}

/** A conflict taken out of the item that held it, whose scope its foreign markup was to be read in. */
function lifted(conflict: Conflict<Payload>, scope: Scope, length: ItemLength): Conflict<Payload> {
  const { foreign } = conflict;
  if (foreign === undefined) return conflict;
  const defaultNamespace = ['', defaultNamespaceOf(scope)] as const;
  const children = foreign.children.map((xml) => {
    const needed = { namespaces: [defaultNamespace, ...usedBindings(xml, scope.namespaces)] };
    length.addSlice(xml, needed);
    return declareOn(xml, needed);
  });
  return { ...conflict, foreign: { ...foreign, children } };
}
