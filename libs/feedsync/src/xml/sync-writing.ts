import type { HistoryEntry, Sync } from '../engine/item.ts';
import { escapeAttribute, writeAttributes } from '#xml';

/**
 * Writes `sx:sync` (2.4) with its history (2.5), its conflicts (2.6) and the foreign markup in it (2.1.7).
 * @param conflicts the conflicts, written.
 * @param bindings by prefix, in force where the element stands; `sx` is FeedSync's.
 * @param writeChild makes a raw slice of foreign markup fit the place.
 */
export function writeSync(
  sync: Sync,
  conflicts: string,
  bindings: ReadonlyMap<string, string>,
  writeChild: (xml: string) => string,
): string {
  let written = `<sx:sync id="${escapeAttribute(sync.id)}" updates="${sync.updates}"`;
  if (sync.deleted) written += ' deleted="true"';
  if (sync.noconflicts !== undefined) written += ` noconflicts="${sync.noconflicts}"`;
  if (sync.foreign !== undefined) written += writeAttributes(sync.foreign.attributes, bindings);
  written += '>';
  for (const entry of sync.history) written += writeHistory(entry, bindings, writeChild);
  if (conflicts !== '') written += writeConflicts(sync, conflicts, bindings, writeChild);
  for (const child of sync.foreign?.children ?? []) written += writeChild(child);
  return `${written}</sx:sync>`;
}

function writeConflicts(
  { conflictsForeign: foreign }: Sync,
  conflicts: string,
  bindings: ReadonlyMap<string, string>,
  writeChild: (xml: string) => string,
): string {
  if (foreign === undefined) return `<sx:conflicts>${conflicts}</sx:conflicts>`;
  return (
    `<sx:conflicts${writeAttributes(foreign.attributes, bindings)}>` +
    `${conflicts}${foreign.children.map(writeChild).join('')}</sx:conflicts>`
  );
}

function writeHistory(
  { sequence, when, by, foreign }: HistoryEntry,
  bindings: ReadonlyMap<string, string>,
  writeChild: (xml: string) => string,
): string {
  let written = `<sx:history sequence="${sequence}"`;
  if (when !== undefined) written += ` when="${escapeAttribute(when)}"`;
  if (by !== undefined) written += ` by="${escapeAttribute(by)}"`;
  if (foreign === undefined) return `${written}/>`;
  return (
    `${written}${writeAttributes(foreign.attributes, bindings)}>` +
    `${foreign.children.map(writeChild).join('')}</sx:history>`
  );
}
