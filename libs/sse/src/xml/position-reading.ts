import { isKey } from '../engine/key.ts';
import { parseVersion } from '../engine/version.ts';
import type { Position } from '#core';
import type { Sync } from '../engine/item.ts';
import { quote } from '#xml';
import { positionNamespace } from './namespace.ts';
import type { Place, XmlElement } from '#xml';
import type { SseContext } from './sync-reading.ts';

/** VERSION KEY PARENT, the last only below an item. */
const written = /^(\S+) (\S+)(?: ([^]+))?$/;

/**
 * Where an item stands (3.2): what the attribute `position` of our own namespace on its `sx:sync` says, if
 * that was written for this version; otherwise its place in the document. Undefined if neither is known.
 */
export function readPosition(
  element: XmlElement,
  { version }: Pick<Sync, 'version'>,
  place: Place | undefined,
  { violations, limits }: SseContext,
): Position | undefined {
  const value = Object.values(element.tag.attributes).find(
    ({ uri, local }) => uri === positionNamespace && local === 'position',
  )?.value;
  const match = value === undefined ? null : written.exec(value);
  const [, said = '', key = '', parent] = match ?? [];
  const isReadable =
    match !== null &&
    parseVersion(said) !== undefined &&
    isKey(key) &&
    key.length <= limits.identifierLength &&
    (parent ?? '').length <= limits.identifierLength;
  if (isReadable && parseVersion(said) === version) return { key, ...(parent !== undefined && { parent }) };
  if (value !== undefined && !isReadable) {
    violations.add(
      element,
      'sse-position-format',
      'The value of position is a version, a key and, below an item, the id of that, with spaces ' +
        `between, each at most ${limits.identifierLength} long (limit "identifierLength"), not ` +
        `${quote(value)}.`,
    );
  }
  return place;
}
