import type { Steps } from '#core';
import type { Violation, Payload } from '#xml';
import { FeedError, itemName, declareOn, writeAttributes } from '#xml';
import { guidOf } from './guid.ts';
import { isLastBuildDate, readCseItem } from './item-reading.ts';
import type { LinkOccurrence } from './link-occurrence.ts';

/** What a payload that is edited here says to a tree. */
export interface ParsedCsePayload {
  /** Absent if it has none. */
  readonly guid?: string;
  /** Whether csx:hiddenItem is "true" on its element. */
  readonly hidden: boolean;
  /** Every csx:link, in document order. */
  readonly links: readonly LinkOccurrence[];
  /** Warnings, with places in the children, one after the other. */
  readonly violations: readonly Violation[];
}

/**
 * Reads a payload of our own as `readCseItem` reads an item, in steps. Throws `FeedError` for the first link
 * that breaks a rule of severity `error`, and (rule `cse-format`) for a payload that is not RSS.
 * @param feedUrl the absolute address of the feed that it is to stand in
 */
export function* readCsePayload(data: Payload, feedUrl: string): Steps<ParsedCsePayload> {
  const { children, attributes = [], scope } = data;
  const name = itemName(data.format);
  const start = `<${name}${writeAttributes(attributes, new Map(scope.namespaces))}>`;
  const xml = declareOn(`${start}${children.map((child) => child.xml).join('')}</${name}>`, scope, '\n');
  const { item, links, violations } = yield* readCseItem({ xml, line: 1, column: 1 }, feedUrl);
  const error = violations.find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new FeedError(error);
  const guid = guidOf(data);
  // A csx:lastBuildDate counts among the children here.
  const numbers = children.flatMap((child, number) => (isLastBuildDate(child) ? [] : [number]));
  return {
    ...(guid !== undefined && { guid }),
    hidden: item.hidden,
    links: links.map((link) => ({
      ...link,
      place: { ...link.place, child: numbers[link.place.child] ?? 0 },
    })),
    violations: violations.filter(({ rule }) => rule !== 'cse-guid-required'),
  };
}
