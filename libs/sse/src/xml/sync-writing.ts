import type { ForeignMarkup } from '#feedsync';
import type { Conflict, Item, Modification } from '../engine/item.ts';
import type { Position } from '#core';
import { escapeAttribute, rfc822Date, writeAttributes } from '#xml';
import type { Payload, Bindings } from '#xml';

/** What the writing of one item's synchronisation data goes by. */
interface SyncPlace {
  /** By prefix, in force where the element stands; `sx` is SSE's and `fm` that of our positions. */
  readonly bindings: Bindings;
  /** Makes a raw slice of foreign markup fit the place. */
  readonly writeChild: (xml: string) => string;
  /** Writes an item in an `sx:conflict`. */
  readonly writeItem: (item: Item<Payload>) => string;
}

/**
 * Writes `sx:sync` (SSE 2.3) with its history (2.4, 2.5), its conflicts (5.1, 5.2), the position of the item
 * and the foreign markup in it.
 */
export function writeSync({ sync, conflicts, position }: Item<Payload>, place: SyncPlace): string {
  let written = `<sx:sync id="${escapeAttribute(sync.id)}" version="${sync.version}"`;
  if (sync.deleted) written += ' deleted="true"';
  if (sync.conflict) written += ' conflict="true"';
  written +=
    `${writePosition(sync.version, position)}${writeForeignAttributes(sync.foreign, place)}>` +
    writeHistory(sync.history, place);
  if (conflicts.length > 0)
    written += writeElement(
      'sx:conflicts',
      conflicts.map((conflict) => writeConflict(conflict, place)).join(''),
      sync.conflictsForeign,
      place,
    );
  return `${written}${writeForeignChildren(sync.foreign, place)}</sx:sync>`;
}

/** VERSION KEY PARENT, as `readPosition` reads it; nothing if the item has yet to be placed. */
function writePosition(version: number, position: Position | undefined): string {
  if (position?.key === undefined || position.after !== undefined) return '';
  const { key, parent } = position;
  return ` fm:position="${version} ${escapeAttribute(parent === undefined ? key : `${key} ${parent}`)}"`;
}

function writeHistory([latest = {}, ...updates]: readonly Modification[], place: SyncPlace): string {
  let inside = '';
  for (const update of updates)
    inside += writeElement(`sx:update${writeModification(update)}`, '', update.foreign, place);
  return writeElement(`sx:history${writeModification(latest)}`, inside, latest.foreign, place);
}

function writeConflict(conflict: Conflict<Payload>, place: SyncPlace): string {
  const item = conflict.item === undefined ? '' : place.writeItem(conflict.item);
  return writeElement(
    `sx:conflict version="${conflict.version}"${writeModification(conflict)}`,
    item,
    conflict.foreign,
    place,
  );
}

/** @param start the name and the defined attributes. */
function writeElement(
  start: string,
  inside: string,
  foreign: ForeignMarkup | undefined,
  place: SyncPlace,
): string {
  const content = inside + writeForeignChildren(foreign, place);
  const tag = `<${start}${writeForeignAttributes(foreign, place)}`;
  return content === '' ? `${tag}/>` : `${tag}>${content}</${start.split(' ', 1)[0]}>`;
}

function writeModification({ when, by }: Pick<Modification, 'when' | 'by'>): string {
  const written = when === undefined ? '' : ` when="${rfc822Date(when)}"`;
  return by === undefined ? written : `${written} by="${escapeAttribute(by)}"`;
}

function writeForeignAttributes(foreign: ForeignMarkup | undefined, { bindings }: SyncPlace): string {
  return foreign === undefined ? '' : writeAttributes(foreign.attributes, bindings);
}

function writeForeignChildren(foreign: ForeignMarkup | undefined, { writeChild }: SyncPlace): string {
  return foreign === undefined ? '' : foreign.children.map(writeChild).join('');
}
