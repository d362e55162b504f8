import type { Steps } from '#core';
import type { CseRuleName } from './rule.ts';
import { cseRules } from './rule.ts';
import { earliestDate } from '../engine/feed.ts';
import type { Item } from '../engine/feed.ts';
import {
  FeedError,
  ViolationList,
  quote,
  readDate,
  ItemLength,
  neededScope,
  payloadOf,
  withBase,
  defaultScanLimits,
  textOf,
  attributesOf,
  itemFormat,
  treeSteps,
} from '#xml';
import { cseNamespace } from './namespace.ts';
import type { Violation, Fragment, Payload, ScanLimits, XmlElement } from '#xml';
import { notRss } from './feed-reading.ts';
import type { LinkOccurrence } from './link-occurrence.ts';
import { LinkReader } from './link-reading.ts';
import { readBoolean } from './value-reading.ts';

/**
 * An item as a tree has it. Where `violations` holds errors, links are left out; the item is to be taken all
 * the same.
 */
export interface ParsedCseItem {
  readonly item: Item;
  /**
   * What the item says: every child but csx:lastBuildDate, without csx:hiddenItem; its base is absolute if
   * something in it may be relative, and of the bindings in force it has those that something in it may use:
   * what the feed around it declares changes no item.
   */
  readonly data: Payload;
  /** Every csx:link that has a URL, also those that do not count (`item.links`), in document order. */
  readonly links: readonly LinkOccurrence[];
  readonly violations: readonly Violation[];
  /** Where the item begins in its feed, from 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Reads one RSS item in steps: its date, its identity, and the links anywhere below it (CSE, Extensions).
 * Checks every rule on the way. Throws `FeedError` (rule `cse-format`) for an item that is not RSS, and for
 * one beyond a limit.
 * @param feedUrl the absolute address of its feed; relative links are resolved against it, or against the
 *   `xml:base` in force
 */
export function* readCseItem(
  fragment: Fragment,
  feedUrl: string,
  limits: ScanLimits = defaultScanLimits,
): Steps<ParsedCseItem> {
  // An item that is not there would be taken for a deleted one.
  if (fragment.refusal) throw new FeedError(fragment.refusal.violation);
  const root = yield* treeSteps(fragment.xml, { isOpened: () => true }, limits);
  if (itemFormat(root) !== 'rss') throw notRss();
  const violations = new ViolationList(fragment, cseRules);
  const links = new LinkReader(fragment.xml, feedUrl, violations, limits);
  for (const [number, child] of root.children.filter((child) => !isLastBuildDate(child)).entries()) {
    for (const element of elementsOf(child)) {
      if (element.namespace !== cseNamespace) continue;
      yield;
      if (element.name === 'link') links.add(element, child, number);
      else if (element.name === 'lastBuildDate')
        violations.add(
          element,
          'cse-last-build-date-place',
          'A csx:lastBuildDate stands in an item itself; this one means nothing.',
        );
      else
        violations.add(
          element,
          'cse-element-unknown',
          `Content Sync Extensions define no element ${quote(element.name)}; it means nothing here.`,
        );
    }
  }
  yield;
  const said = withoutHidden(payloadOf(fragment.xml, root, 'rss', isLastBuildDate, new ItemLength()));
  const data = { ...said, scope: neededScope(said) };
  yield;
  const item = {
    id: readId(root, fragment, violations),
    lastBuildDate: readLastBuildDate(root, fragment.xml, violations),
    hidden: readHidden(root, violations),
    links: links.all,
  };
  return {
    item,
    data: withBase(data, feedUrl),
    links: links.occurrences,
    violations: violations.all,
    line: fragment.line,
    column: fragment.column,
  };
}

/** Whether an element, or a child of a payload, is a csx:lastBuildDate. */
export function isLastBuildDate({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): boolean {
  return name === 'lastBuildDate' && namespace === cseNamespace;
}

/** An element and all below it in document order, but nothing below a csx:link, which holds a URL. */
function* elementsOf(element: XmlElement): Generator<XmlElement> {
  const ahead = [element];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    yield next;
    if (next.name !== 'link' || next.namespace !== cseNamespace)
      for (const child of next.children.toReversed()) ahead.push(child);
  }
}

/** The payload without csx:hiddenItem on its element. */
export function withoutHidden({ attributes = [], ...payload }: Payload): Payload {
  const others = attributes.filter(
    ({ namespace, name }) => name !== 'hiddenItem' || namespace !== cseNamespace,
  );
  return { ...payload, ...(others.length > 0 && { attributes: others }) };
}

function readId(root: XmlElement, { xml }: Fragment, violations: ViolationList<CseRuleName>): string {
  const [guid, link, title] = ['guid', 'link', 'title'].map((name) => {
    const child = root.children.find((child) => child.name === name && child.namespace === root.namespace);
    return child === undefined ? undefined : textOf(child, xml) || undefined;
  });
  if (guid !== undefined) return guid;
  violations.add(
    root,
    'cse-guid-required',
    'An item has a guid; this one has none, and is known by its ' +
      `${link !== undefined ? 'link' : title !== undefined ? 'title' : 'whole text'}.`,
  );
  // With its date it would be another item after every change.
  return (
    link ??
    title ??
    root.children
      .filter((child) => !isLastBuildDate(child))
      .map(({ start, end }) => xml.slice(start, end))
      .join('')
  );
}

/** csx:lastBuildDate, else pubDate, else 1601. */
function readLastBuildDate(root: XmlElement, xml: string, violations: ViolationList<CseRuleName>): string {
  const [first, second] = root.children.filter(isLastBuildDate);
  if (second !== undefined)
    violations.add(
      second,
      'cse-last-build-date-multiple',
      'An item has one csx:lastBuildDate; this one has more, and the first counts.',
    );
  const pubDate = root.children.find(
    ({ name, namespace }) => name === 'pubDate' && namespace === root.namespace,
  );
  const read = (element: XmlElement | undefined, name: 'last-build-date' | 'pub-date') => {
    if (element === undefined) return undefined;
    const text = textOf(element, xml);
    const date = readDate(text);
    if (date === undefined)
      violations.add(
        element,
        `cse-${name}-format`,
        'A date is written by RFC 822, such as "Mon, 02 Oct 2006 12:35:12 GMT"; this is none, and does ' +
          `not count: ${quote(text)}.`,
      );
    else if (!date.isRfc822)
      violations.add(
        element,
        `cse-${name}-syntax`,
        `A date is written by RFC 822, such as "Mon, 02 Oct 2006 12:35:12 GMT"; ${quote(text)} is read ` +
          `as ${date.dateTime}.`,
      );
    return date?.dateTime;
  };
  return read(first, 'last-build-date') ?? read(pubDate, 'pub-date') ?? earliestDate;
}

function readHidden(root: XmlElement, violations: ViolationList<CseRuleName>): boolean {
  let hidden: string | undefined;
  for (const { namespace, name, value } of attributesOf(root)) {
    if (namespace !== cseNamespace) continue;
    if (name === 'hiddenItem') hidden = value;
    else
      violations.add(
        root,
        'cse-attribute-unknown',
        `Content Sync Extensions define no attribute ${quote(name)} of an item; it means nothing.`,
      );
  }
  return readBoolean(root, 'csx:hiddenItem', hidden, 'cse-hidden-item-value', violations);
}
