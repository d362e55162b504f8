import { defaultNamespaceOf, withDefaultNamespace, withInheritedNamespace } from './default-namespace.ts';
import { FeedError } from './feed-error.ts';
import {
  isEncodedContent,
  isItemLink,
  meaningKey,
  readMappedElement,
  writeMappedElement,
} from './mapped-element.ts';
import type { MappedElement } from './mapped-element.ts';
import { atomNamespace, formatNamespace } from './namespace.ts';
import type { Child, FeedFormat, Format, Payload, Scope } from './payload.ts';
import { renditionOf } from './rendition.ts';

/** A child of the payload with what the mapping knows of it. */
interface Part {
  readonly child: Child;
  readonly element?: MappedElement;
  /** Its counterpart in the other format. */
  readonly rendition?: MappedElement;
}

/** A child of the converted payload; whether it is the item's link. */
interface Converted {
  readonly child: Child;
  readonly isItemLink: boolean;
}

const onlyOnce: readonly string[] = ['title', 'content', 'summary', 'description', 'encoded'];

/**
 * The payload in a format, itself if it has that one already. What the other format has a counterpart for
 * becomes that; what the counterpart can't say, or what has none, is carried beside it as foreign markup, and
 * becomes native again on the way back. So the way there and back keeps the meaning. The table is in
 * docs/mapping.md; FeedSync 1.0.2 leaves the mapping open. Throws `FeedError` (rule `format-fixed`) if one
 * of the two formats is OPML: an outline has no counterpart in a feed.
 */
export function convertPayload(payload: Payload, format: Format): Payload {
  if (payload.format === format) return payload;
  if (payload.format === 'opml' || format === 'opml') {
    throw new FeedError({
      rule: 'format-fixed',
      section: 'SSE 2.3',
      message: `An OPML outline stays one: there is no way from ${payload.format} to ${format}.`,
      line: 1,
      column: 1,
    });
  }
  const { attributes, scope, format: source } = payload;
  const read = payload.children.map((child) => readPart(child, source, scope));
  const hasBoth = hasContentAndSummary(read, source);
  const parts = read.map((part) => withRendition(part, hasBoth));
  const { explained, stale, primary } = matchCarried(parts, format, hasBoth);
  const chosen = choosePlaced(parts, source, explained, stale, hasBoth);
  const alone = parts.filter(
    (part) => part.element?.format === source && !chosen.has(part) && !explained.has(part),
  );
  const saidAlone = new Set(
    alone.flatMap((other) => (other.rendition === undefined ? [] : [meaningKey(other.rendition)])),
  );
  const defaultNamespace = defaultNamespaceOf(scope);
  const converted: Converted[] = [];
  let itemLink: Converted | undefined;
  for (const part of parts) {
    const { child, element, rendition } = part;
    if (explained.has(part) || stale.has(part)) continue;
    if (rendition !== undefined && chosen.has(part)) {
      const placed = { child: writeMappedElement(rendition), isItemLink: isItemLink(rendition) };
      converted.push(placed);
      if (placed.isItemLink) itemLink = placed;
      if (!isCarriedBeside(part, rendition, hasBoth, saidAlone)) continue;
    }
    const carried = { ...child, xml: withDefaultNamespace(child.xml, defaultNamespace) };
    const isNative = child.namespace === formatNamespace(format);
    const own = {
      child: isNative ? { ...carried, xml: withInheritedNamespace(carried) } : carried,
      isItemLink: element?.format === format && isItemLink(element),
    };
    converted.push(own);
    if (part === primary) itemLink = own;
  }
  return {
    format,
    children: withItemLinkFirst(converted, itemLink).map(({ child }) => child),
    scope: {
      ...scope,
      namespaces: [
        ...(format === 'atom' ? [['', atomNamespace] as const] : []),
        ...scope.namespaces.filter(([prefix]) => prefix !== ''),
      ],
    },
    ...(attributes !== undefined && { attributes }),
  };
}

function readPart(child: Child, format: FeedFormat, scope: Scope): Part {
  const own = readMappedElement(child, format, scope);
  if (isEncodedContent(child)) {
    // In an Atom entry it is foreign markup, and says nothing of the entry's content.
    const isText = own !== undefined && own.hasElements !== true && own.text.trim() !== '';
    return { child, ...(isText && { element: own }) };
  }
  const element = own ?? readMappedElement(child, format === 'atom' ? 'rss' : 'atom', scope);
  return { child, ...(element !== undefined && { element }) };
}

function withRendition(part: Part, hasBoth: boolean): Part {
  const rendition = part.element && renditionOf(part.element, hasBoth);
  return rendition === undefined ? part : { ...part, rendition };
}

/** Whether an item has a content and a summary that can both stand in the other format. */
function hasContentAndSummary(parts: readonly Part[], source: FeedFormat): boolean {
  const has = (name: string): boolean =>
    parts.some(
      ({ element }) =>
        element?.format === source &&
        element.name === name &&
        (renditionOf(element, true)?.text ?? '').trim() !== '',
    );
  if (source === 'rss') return has('encoded');
  return has('content') && has('summary') && !parts.some(({ child }) => isEncodedContent(child));
}

/**
 * What the carried elements, which are of the format to convert to, say of the native ones: which of those
 * they explain, which of themselves are stale because the native one has been edited, and which is the item's
 * link.
 */
function matchCarried(
  parts: readonly Part[],
  format: FeedFormat,
  hasBoth: boolean,
): { explained: ReadonlySet<Part>; stale: ReadonlySet<Part>; primary?: Part } {
  const carried = parts.filter(({ element }) => element?.format === format);
  const native = parts.filter(({ element }) => element !== undefined && element.format !== format);
  const byMeaning = partsByMeaning(carried.length === 0 ? [] : native);
  const nativeNames = new Set(native.map(({ element }) => element?.name));
  const explained = new Set<Part>();
  const stale = new Set<Part>();
  let primary: Part | undefined;
  // A summary gives the description only if nothing else does.
  for (const part of [...carried.filter((part) => !isSummary(part)), ...carried.filter(isSummary)]) {
    const { rendition } = part;
    if (rendition === undefined) continue;
    const match = byMeaning.get(meaningKey(rendition))?.pop();
    if (match !== undefined) explained.add(match);
    else if (
      (hasBoth || !isSummary(part)) &&
      onlyOnce.includes(rendition.name) &&
      nativeNames.has(rendition.name)
    )
      stale.add(part);
    if (match !== undefined && isItemLink(rendition)) primary ??= part;
  }
  return { explained, stale, ...(primary !== undefined && { primary }) };
}

/**
 * The parts without elements in them by what they mean, the first one last, so that it is the next to be
 * taken.
 */
function partsByMeaning(parts: readonly Part[]): Map<string, Part[]> {
  const found = new Map<string, Part[]>();
  for (const part of parts.toReversed()) {
    if (part.element === undefined || part.element.hasElements === true) continue;
    const key = meaningKey(part.element);
    const same = found.get(key);
    if (same === undefined) found.set(key, [part]);
    else same.push(part);
  }
  return found;
}

/** The native parts whose rendition is written. */
function choosePlaced(
  parts: readonly Part[],
  source: FeedFormat,
  explained: ReadonlySet<Part>,
  stale: ReadonlySet<Part>,
  hasBoth: boolean,
): ReadonlySet<Part> {
  const native = parts.filter(
    ({ element, rendition }) => element?.format === source && rendition !== undefined,
  );
  const hasContent =
    native.some(({ element }) => element?.name === 'content') ||
    parts.some((part) => part.element?.name === 'description' && !stale.has(part));
  const firstSummary = native.find(isSummary);
  const firstLink = native.find(isLinkPart);
  const hasLink = native.some((part) => isLinkPart(part) && explained.has(part));
  return new Set(
    native.filter((part) => {
      if (explained.has(part)) return false;
      if (isSummary(part)) return part === firstSummary && (hasBoth || !hasContent);
      return isLinkPart(part) ? part === firstLink && !hasLink : true;
    }),
  );
}

/**
 * Whether the original has to stand beside its rendition, so that the way back finds what it was.
 * @param saidAlone the renditions, by their meaning, of what is carried without one of its own, and would
 *   be taken for the origin of one that says the same
 */
function isCarriedBeside(
  part: Part,
  rendition: MappedElement,
  hasBoth: boolean,
  saidAlone: ReadonlySet<string>,
): boolean {
  const back = renditionOf(rendition, hasBoth);
  if (back === undefined || !saysTheSame(part.element, back)) return true;
  return saidAlone.size > 0 && saidAlone.has(meaningKey(rendition));
}

function saysTheSame(element: MappedElement | undefined, rendition: MappedElement): boolean {
  if (element === undefined || element.hasElements === true) return false;
  const { format, name, attributes, text } = rendition;
  return (
    element.format === format &&
    element.name === name &&
    element.text === text &&
    element.attributes.size === attributes.size &&
    [...element.attributes].every(([attribute, value]) => attributes.get(attribute) === value)
  );
}

function isSummary({ element }: Part): boolean {
  return element?.name === 'summary';
}

function isLinkPart({ element }: Part): boolean {
  return element !== undefined && isItemLink(element);
}

/** Readers take the first link for the item's: what was that in one format stays it in the other. */
function withItemLinkFirst(
  converted: readonly Converted[],
  itemLink: Converted | undefined,
): readonly Converted[] {
  const first = converted.find(({ isItemLink }) => isItemLink);
  if (itemLink === undefined || first === undefined || first === itemLink) return converted;
  return converted.flatMap((one) => (one === itemLink ? [] : one === first ? [itemLink, one] : [one]));
}
