import { canonicalMarkup, plainText } from './canonical-markup.ts';
import type { WildItem } from './wild-document.ts';

/** An item as the product shows it. */
export type SeenItem = Readonly<Record<string, unknown>>;

type Comparison = (expected: WildItem, seen: SeenItem) => readonly [expected: unknown, got: unknown];

export interface ComparisonSettings {
  /** Whether the types of texts are compared. */
  readonly hasTypes: boolean;
}

const comparisons: Readonly<Partial<Record<keyof WildItem, Comparison>>> = {
  title: ({ title }, seen) => [
    plainText(title ?? '', undefined),
    plainText(textOf(seen['title']), typeOf(seen['titleType'])),
  ],
  titleType: ({ titleType }, seen) => [shownType(titleType), shownType(seen['titleType'])],
  link: ({ link }, seen) => [address(link ?? ''), address(textOf(seen['link']))],
  content: (expected, seen) => [expectedMarkup(expected, 'content'), seenMarkup(seen, 'content')],
  contentType: ({ contentType }, seen) => [shownType(contentType), shownType(seen['contentType'])],
  summary: (expected, seen) => [expectedMarkup(expected, 'summary'), seenMarkup(seen, 'summary')],
  summaryType: ({ summaryType }, seen) => [shownType(summaryType), shownType(seen['summaryType'])],
  published: ({ published }, seen) => [second(published), second(seen['published'])],
  authors: ({ authors }, seen) => listed(authors, seen['authors']),
  enclosures: ({ enclosures }, seen) => listed(enclosures, seen['enclosures']),
  image: ({ image }, seen) => [address(image ?? ''), address(textOf(seen['image']))],
  categories: ({ categories }, seen) => [categories ?? [], seen['categories'] ?? []],
};

const typeNames: ReadonlySet<string> = new Set(['titleType', 'contentType', 'summaryType']);

/** The values in which an item is another than the expected one, one line each. */
export function itemDifferences(
  expected: WildItem,
  seen: SeenItem,
  { hasTypes }: ComparisonSettings,
): string[] {
  return Object.entries(comparisons).flatMap(([name, compare]) => {
    if (expected[name as keyof WildItem] === undefined || (typeNames.has(name) && !hasTypes)) return [];
    const [wanted, got] = compare(expected, seen).map((value) => JSON.stringify(value));
    return wanted === got ? [] : [`${name}: expected ${wanted}, got ${got}`];
  });
}

/** Of lists of objects the members that are expected are compared; null is no value. */
function listed(expected: readonly object[] | null | undefined, seen: unknown): readonly [unknown, unknown] {
  const found = (Array.isArray(seen) ? seen : []) as readonly Record<string, unknown>[];
  const wanted = expected ?? [];
  return [
    wanted.map((object) => members(object as Record<string, unknown>, Object.keys(object))),
    found.map((object, place) => members(object, Object.keys(wanted[place] ?? object))),
  ];
}

function members(object: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return Object.fromEntries(names.map((name) => [name, comparable(name, object[name])]));
}

function comparable(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (name === 'length') return Number(value);
  return name === 'url' || name === 'uri' ? address(textOf(value)) : textOf(value).trim();
}

/** An expected text without a type is HTML if it has a tag. */
function expectedMarkup(expected: WildItem, name: 'content' | 'summary'): string {
  const { [name]: value, [`${name}Type` as const]: type } = expected as SeenItem;
  const isMarkup = type === undefined && /<[a-z!/]/i.test(textOf(value));
  return canonicalMarkup(textOf(value), isMarkup ? 'html' : typeOf(type));
}

function seenMarkup(seen: SeenItem, name: 'content' | 'summary'): string {
  return canonicalMarkup(textOf(seen[name]), typeOf(seen[`${name}Type`]));
}

function address(text: string): string {
  return URL.canParse(text.trim()) ? new URL(text.trim()).href : text.trim();
}

function second(value: unknown): string {
  if (typeof value !== 'string') return '';
  const time = Date.parse(value);
  return Number.isNaN(time) ? value : new Date(time).toISOString().slice(0, 19);
}

/** Plain text has no type, or `text`. */
function shownType(type: unknown): string {
  return type === undefined || type === null ? 'text' : textOf(type);
}

function typeOf(type: unknown): string | undefined {
  return typeof type === 'string' ? type : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
