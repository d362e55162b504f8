import { canonicalMarkup, plainText } from './canonical-markup.ts';
import type { ReadItem } from './readers/read-item.ts';

const fields = ['title', 'link', 'published', 'authors', 'content', 'enclosures'] as const;

/** How many values were compared, and which are not the same. */
export interface Comparison {
  readonly compared: number;
  readonly differing: readonly Difference[];
}

export interface Difference {
  readonly field: string;
  readonly text: string;
}

/**
 * Compares what a program reads in a document with what it reads in our feed of it: each value that it finds
 * in the document.
 */
export function compareReadings(original: readonly ReadItem[], ours: readonly ReadItem[]): Comparison {
  const left = [...ours];
  const differing: Difference[] = [];
  let compared = 0;
  let missing = 0;
  for (const item of original) {
    const best = mostAlike(item, left);
    if (best === undefined) {
      missing += 1;
      continue;
    }
    left.splice(left.indexOf(best), 1);
    for (const field of fields.filter((name) => shown(name, item).some(isFilled))) {
      compared += 1;
      if (isSame(field, item, best)) continue;
      const [theirs, got] = [item[field], best[field]].map((value) => JSON.stringify(value));
      differing.push({ field, text: `${field}: ${theirs}, of ours ${got}` });
    }
  }
  if (left.length > 0 || missing > 0)
    differing.push({ field: 'items', text: `items: ${left.length} more in ours, ${missing} fewer` });
  return { compared, differing };
}

function mostAlike(item: ReadItem, ours: readonly ReadItem[]): ReadItem | undefined {
  const counted = ours.map((found) => ({
    found,
    same: fields.filter((field) => isSame(field, item, found)).length,
  }));
  return counted.toSorted((one, other) => other.same - one.same)[0]?.found;
}

function isFilled(text: string): boolean {
  return text !== '' && text !== '[]';
}

function isSame(field: (typeof fields)[number], one: ReadItem, other: ReadItem): boolean {
  const [first, second] = [shown(field, one), shown(field, other)];
  return first.some((form) => second.includes(form));
}

/** The forms in which a person may see a value: of some programs nobody knows whether it is markup. */
function shown(field: (typeof fields)[number], item: ReadItem): readonly string[] {
  switch (field) {
    case 'title':
      return formsOf(item.titleType).map((type) => plainText(item.title, type));
    case 'content':
      return formsOf(item.contentType).map((type) => withoutBreaks(canonicalMarkup(item.content, type)));
    case 'published':
      return [second(item.published)];
    case 'link':
      return [address(item.link)];
    default:
      return [JSON.stringify(item[field].map(address).filter(isFilled))];
  }
}

/** Without the div of XHTML, which some programs keep, and with line breaks as the spaces that text has. */
function withoutBreaks(markup: string): string {
  const inside = /^<div>(.*)<\/div>$/s.exec(markup)?.[1] ?? markup;
  return inside.replace(/(?:\s*<br><\/br>\s*)+/g, ' ').trim();
}

function formsOf(type: string | undefined): readonly string[] {
  if (type === undefined || type === '') return ['text', 'html'];
  return [/html/i.test(type) ? 'html' : 'text'];
}

function address(text: string): string {
  return URL.canParse(text) ? new URL(text).href : plainText(text, undefined);
}

/** A date in whole seconds; empty for what is none by RFC 3339 or RFC 822. */
function second(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? '' : new Date(time).toISOString().slice(0, 19);
}
