import type { ReadingContext } from '#xml';
import { itemId } from '#core';
import { feedItemFormat } from './sync-tree.ts';
import type { RuleName } from './rule.ts';
import { feedsyncVocabulary } from './vocabulary.ts';
import { isDateTime } from '../engine/date-time.ts';
import { isNamespaceSpecificString } from '../engine/namespace-specific-string.ts';
import { maximumCount, parseCount } from '../engine/count.ts';
import type { HistoryEntry, Sync } from '../engine/item.ts';
import type { XmlElement } from '#xml';
import { quote, readForeign, checkAttributes, checkElements, holdsMarkup } from '#xml';
import { isSync } from './sync-tree.ts';

const syncAttributes: ReadonlySet<string> = new Set(['id', 'updates', 'deleted', 'noconflicts']);
const historyAttributes: ReadonlySet<string> = new Set(['sequence', 'when', 'by']);

/**
 * Reads one `sx:sync` (2.4) without its conflicts; undefined if it breaks a rule, which is in the
 * violations then.
 */
export function readSync(element: XmlElement, context: ReadingContext<RuleName>): Sync | undefined {
  const id = readIdentifier(element, 'id', 'sync-id', context);
  const updates = readCount(element, 'updates', 'sync-updates', context);
  const deleted = readBoolean(element, 'deleted', context);
  const noconflicts = readBoolean(element, 'noconflicts', context);
  if (element.tag.attributes['id'] === undefined)
    context.violations.add(element, 'sync-id-required', 'An sx:sync has an id; this one has none.');
  const entries = element.children.filter((child) => isSync(child, 'history'));
  if (entries.length === 0)
    context.violations.add(
      element,
      'sync-history-required',
      'An sx:sync has at least one sx:history; this one has none.',
    );
  const history = entries.map((entry) => readHistory(entry, context)).filter((entry) => entry !== undefined);
  checkElements(element.children, ['history', 'conflicts'], context.violations, feedsyncVocabulary);
  checkAttributes(element, context.violations, feedsyncVocabulary);
  if (id === undefined || updates === undefined || history.length < entries.length) return undefined;
  checkOrder(entries, history, context);
  const foreign = readForeign(
    element,
    syncAttributes,
    (child) => isSync(child, 'history') || isSync(child, 'conflicts'),
    context,
  );
  const holder = element.children.find((child) => isSync(child, 'conflicts'));
  const conflictsForeign =
    holder && readForeign(holder, new Set(), (child) => feedItemFormat(child) !== undefined, context);
  return {
    id: itemId(id),
    updates,
    deleted: deleted ?? false,
    ...(noconflicts !== undefined && { noconflicts }),
    history,
    ...(foreign !== undefined && { foreign }),
    ...(conflictsForeign !== undefined && { conflictsForeign }),
  };
}

function readHistory(element: XmlElement, context: ReadingContext<RuleName>): HistoryEntry | undefined {
  const sequence = readCount(element, 'sequence', 'history-sequence', context);
  const by = readIdentifier(element, 'by', 'history-by', context);
  const when = element.tag.attributes['when']?.value;
  if (when !== undefined && !isDateTime(when)) {
    context.violations.add(
      element,
      'history-when-format',
      'The value of when is not a date-time in whole seconds and UTC such as 2005-05-21T09:43:33Z: ' +
        `${quote(when)}.`,
    );
  }
  if (when === undefined && element.tag.attributes['by'] === undefined) {
    context.violations.add(
      element,
      'history-when-or-by',
      'An sx:history has a when, a by, or both; this one has neither.',
    );
  }
  if (by !== undefined && holdsMarkup(by))
    context.violations.add(
      element,
      'history-by-markup',
      `The value of by is plain text, without markup: ${quote(by)}.`,
    );
  checkElements(element.children, [], context.violations, feedsyncVocabulary);
  checkAttributes(element, context.violations, feedsyncVocabulary);
  if (sequence === undefined) return undefined;
  const foreign = readForeign(element, historyAttributes, () => false, context);
  return {
    sequence,
    ...(when !== undefined && { when }),
    ...(by !== undefined && { by }),
    ...(foreign !== undefined && { foreign }),
  };
}

/** The most recent update is topmost (2.5), and its sequence the greatest of its endpoint (3.2, step 2.3). */
function checkOrder(
  [element]: readonly XmlElement[],
  history: readonly HistoryEntry[],
  { violations }: ReadingContext<RuleName>,
): void {
  const [top] = history;
  if (element === undefined || top?.by === undefined) return;
  const greater = history.find(({ by, sequence }) => by === top.by && sequence > top.sequence);
  if (greater !== undefined)
    violations.add(
      element,
      'history-order',
      `The topmost sx:history is the most recent; this one has the sequence ${top.sequence}, one below ` +
        `it of the same endpoint has ${greater.sequence}.`,
    );
}

function readIdentifier(
  element: XmlElement,
  name: 'id' | 'by',
  rule: 'sync-id' | 'history-by',
  { violations, limits }: ReadingContext<RuleName>,
): string | undefined {
  const value = element.tag.attributes[name]?.value;
  if (value === undefined) return undefined;
  if (value === '') violations.add(element, `${rule}-empty`, `The value of ${name} is empty.`);
  else if (value.length > limits.identifierLength)
    violations.add(
      element,
      `${rule}-length`,
      `The value of ${name} is ${value.length} long; ${limits.identifierLength} is allowed (limit ` +
        '"identifierLength").',
    );
  else if (!isNamespaceSpecificString(value))
    violations.add(
      element,
      `${rule}-syntax`,
      `The value of ${name} is not a Namespace Specific String of RFC 2141: ${quote(value)}.`,
    );
  return value;
}

function readCount(
  element: XmlElement,
  name: 'updates' | 'sequence',
  rule: 'sync-updates' | 'history-sequence',
  { violations }: ReadingContext<RuleName>,
): number | undefined {
  const value = element.tag.attributes[name]?.value;
  const count = value === undefined ? undefined : parseCount(value);
  if (value === undefined) violations.add(element, `${rule}-required`, `The attribute ${name} is required.`);
  else if (count === undefined)
    violations.add(
      element,
      `${rule}-range`,
      `The value of ${name} is a whole number from 1 to ${maximumCount}, not ${quote(value)}.`,
    );
  return count;
}

function readBoolean(
  element: XmlElement,
  name: 'deleted' | 'noconflicts',
  { violations }: ReadingContext<RuleName>,
): boolean | undefined {
  const value = element.tag.attributes[name]?.value;
  if (value !== undefined && value !== 'true' && value !== 'false')
    violations.add(
      element,
      `sync-${name}-value`,
      `The value of ${name} is "true" or "false", not ${quote(value)}.`,
    );
  return value === undefined ? undefined : value === 'true';
}
