import { itemId } from '#core';
import type { Steps } from '#core';
import type { SseRuleName } from './rule.ts';
import { isNamespaceSpecificString } from '#feedsync';
import type { ForeignMarkup } from '#feedsync';
import type { ReadingContext, XmlElement } from '#xml';
import { maximumVersion, parseVersion } from '../engine/version.ts';
import type { Modification, Sync } from '../engine/item.ts';
import { quote, readForeign, checkAttributes, checkElements, readDate } from '#xml';
import { positionNamespace } from './namespace.ts';
import { isSse } from './sync-tree.ts';
import { sseVocabulary } from './vocabulary.ts';

/** What the reading of one fragment goes by. */
export type SseContext = ReadingContext<SseRuleName>;

const syncAttributes: ReadonlySet<string> = new Set([
  'id',
  'version',
  'deleted',
  'conflict',
  `{${positionNamespace}}position`,
]);
const modificationAttributes: ReadonlySet<string> = new Set(['when', 'by']);

/**
 * Reads one `sx:sync` (2.3) without its conflicts, in steps; undefined if it breaks a rule, which is in the
 * violations then.
 */
export function* readSync(element: XmlElement, context: SseContext): Steps<Sync | undefined> {
  const id = readId(element, context);
  const version = readVersion(element, 'sync', context);
  const deleted = readBoolean(element, 'deleted', context);
  const conflict = readBoolean(element, 'conflict', context);
  const [top, second] = element.children.filter((child) => isSse(child, 'history'));
  if (top === undefined)
    context.violations.add(
      element,
      'sse-history-required',
      'An sx:sync has an sx:history; this one has none.',
    );
  if (second !== undefined)
    context.violations.add(
      second,
      'sse-history-multiple',
      'An sx:sync has one sx:history; this one has more.',
    );
  checkElements(element.children, ['history', 'conflicts'], context.violations, sseVocabulary);
  checkAttributes(element, context.violations, sseVocabulary);
  const history = top === undefined ? [] : yield* readHistory(top, context);
  if (id === undefined || version === undefined) return undefined;
  const foreign = readForeign(
    element,
    syncAttributes,
    (child) => isSse(child, 'history') || isSse(child, 'conflicts'),
    context,
  );
  const holder = element.children.find((child) => isSse(child, 'conflicts'));
  const conflictsForeign =
    holder && readForeign(holder, new Set(), (child) => isSse(child, 'conflict'), context);
  return {
    id: itemId(id),
    version,
    deleted,
    conflict,
    history,
    ...(foreign !== undefined && { foreign }),
    ...(conflictsForeign !== undefined && { conflictsForeign }),
  };
}

/** The `version` of an `sx:sync` or an `sx:conflict`. */
export function readVersion(
  element: XmlElement,
  name: 'sync' | 'conflict',
  { violations }: SseContext,
): number | undefined {
  const value = element.tag.attributes['version']?.value;
  const version = value === undefined ? undefined : parseVersion(value);
  if (value === undefined)
    violations.add(
      element,
      `sse-${name}-version-required`,
      `An sx:${name} has a version; this one has none.`,
    );
  else if (version === undefined)
    violations.add(
      element,
      `sse-${name}-version-range`,
      `The value of version is a whole number from 1 to ${maximumVersion}, not ${quote(value)}.`,
    );
  return version;
}

/**
 * `when` and `by` of an element that records a modification. An empty `by` says what its absence says (2.4).
 */
export function readModification(
  element: XmlElement,
  name: 'history' | 'update' | 'conflict',
  { violations, limits }: SseContext,
): Pick<Modification, 'when' | 'by'> {
  const written = element.tag.attributes['when']?.value;
  const by = element.tag.attributes['by']?.value || undefined;
  if (written === undefined && by === undefined)
    violations.add(
      element,
      `sse-${name}-when-or-by`,
      `An sx:${name} has a when, a by, or both; this one has neither.`,
    );
  const date = written === undefined ? undefined : readDate(written);
  if (date === undefined && written !== undefined)
    violations.add(
      element,
      `sse-${name}-when-format`,
      `The value of when is no date of RFC 822: ${quote(written)}.`,
    );
  if (date?.isStrict === false)
    violations.add(
      element,
      `sse-${name}-when-syntax`,
      'A date is written as GMT with four digits for the year, such as "Sat, 21 May 2005 09:43:33 GMT", ' +
        `not ${quote(written)}.`,
    );
  if (by !== undefined && by.length > limits.identifierLength)
    violations.add(
      element,
      `sse-${name}-by-length`,
      `The value of by is ${by.length} long; ${limits.identifierLength} is allowed (limit ` +
        '"identifierLength").',
    );
  else if (by !== undefined && !isNamespaceSpecificString(by))
    violations.add(
      element,
      `sse-${name}-by-syntax`,
      `The value of by is not a Namespace Specific String of RFC 2141: ${quote(by)}.`,
    );
  return { ...(date !== undefined && { when: date.dateTime }), ...(by !== undefined && { by }) };
}

/** What `sx:history` says (2.4), then each `sx:update` in it (2.5). */
function* readHistory(element: XmlElement, context: SseContext): Steps<Modification[]> {
  const isUpdate = (child: XmlElement) => isSse(child, 'update');
  const updates: Modification[] = [];
  for (const update of element.children.filter(isUpdate)) {
    updates.push(readRecord(update, 'update', () => false, [], context));
    yield;
  }
  return [readRecord(element, 'history', isUpdate, ['update'], context), ...updates];
}

function readRecord(
  element: XmlElement,
  name: 'history' | 'update',
  isDefined: (child: XmlElement) => boolean,
  allowed: readonly string[],
  context: SseContext,
): Modification {
  checkElements(element.children, allowed, context.violations, sseVocabulary);
  checkAttributes(element, context.violations, sseVocabulary);
  const foreign: ForeignMarkup | undefined = readForeign(element, modificationAttributes, isDefined, context);
  return { ...readModification(element, name, context), ...(foreign !== undefined && { foreign }) };
}

function readId(element: XmlElement, { violations, limits }: SseContext): string | undefined {
  const id = element.tag.attributes['id']?.value;
  if (id === undefined)
    violations.add(element, 'sse-sync-id-required', 'An sx:sync has an id; this one has none.');
  else if (id === '') violations.add(element, 'sse-sync-id-empty', 'The value of id is empty.');
  else if (id.length > limits.identifierLength)
    violations.add(
      element,
      'sse-sync-id-length',
      `The value of id is ${id.length} long; ${limits.identifierLength} is allowed (limit ` +
        '"identifierLength").',
    );
  else if (!isNamespaceSpecificString(id))
    violations.add(
      element,
      'sse-sync-id-syntax',
      `The value of id is not a Namespace Specific String of RFC 2141: ${quote(id)}.`,
    );
  return id;
}

function readBoolean(element: XmlElement, name: 'deleted' | 'conflict', { violations }: SseContext): boolean {
  const value = element.tag.attributes[name]?.value ?? '';
  if (value !== 'true' && value !== 'false' && value !== '')
    violations.add(
      element,
      `sse-sync-${name}-value`,
      `The value of ${name} is "true", "false" or empty, not ${quote(value)}.`,
    );
  return value === 'true';
}
