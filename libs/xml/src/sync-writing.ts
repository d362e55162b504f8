import type { ForeignMarkup, HistoryEntry, Sync } from '#feedsync';
import { escapeAttribute } from './escape.ts';
import { xmlNamespace } from './namespace.ts';
import { writeDeclaration } from './start-tag.ts';

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

/**
 * Writes attributes by their expanded names, each after a space; declares the prefixes that are not in force.
 */
export function writeAttributes(
  attributes: ForeignMarkup['attributes'],
  bindings: ReadonlyMap<string, string>,
): string {
  const prefixes = new Map([[xmlNamespace, 'xml']]);
  for (const [prefix, namespace] of bindings) if (prefix !== '') prefixes.set(namespace, prefix);
  let written = '';
  for (const { namespace, name, value } of attributes) {
    let qualified = name;
    if (namespace !== '') {
      let prefix = prefixes.get(namespace);
      if (prefix === undefined) {
        prefix = freePrefix(prefixes, bindings);
        prefixes.set(namespace, prefix);
        written += writeDeclaration(prefix, namespace);
      }
      qualified = `${prefix}:${name}`;
    }
    written += ` ${qualified}="${escapeAttribute(value)}"`;
  }
  return written;
}

function freePrefix(prefixes: ReadonlyMap<string, string>, bindings: ReadonlyMap<string, string>): string {
  for (let number = prefixes.size; ; number += 1) {
    const prefix = `n${number}`;
    if (!bindings.has(prefix) && ![...prefixes.values()].includes(prefix)) return prefix;
  }
}
