import { readReferences } from './escape.ts';
import { isDeclaration, rawAttributes } from './start-tag.ts';
import type { RawAttribute } from './start-tag.ts';
import type { XmlElement } from './tree.ts';

/** What one child holds, read through. */
export interface Content {
  /** By name with prefix; no namespace declarations. */
  readonly attributes: ReadonlyMap<string, string>;
  /** All of its character data, one after the other. */
  readonly text: string;
  /** Whether there are elements in it. */
  readonly hasElements: boolean;
}

/** What a text can have in it besides tags, with how it ends. */
const markup = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;
const tag = /<[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*>/y;

/**
 * Reads the text and the attributes of an element, such as one child of an item or a feed, which has been
 * checked when it was cut out.
 */
export function readContent(xml: string): Content {
  const said = rawAttributes(xml);
  let text = '';
  let hasElements = false;
  let at = contentStart(xml, said);
  for (let next = xml.indexOf('<', at); next >= 0; next = xml.indexOf('<', at)) {
    text += readReferences(xml.slice(at, next));
    const [opening, ending] = markupAt(xml, next) ?? [];
    if (opening === undefined) {
      hasElements ||= xml[next + 1] !== '/';
      at = tagEnd(xml, next);
      continue;
    }
    const inside = next + opening.length;
    const end = xml.indexOf(ending, inside);
    if (end < 0) break;
    if (opening === '<![CDATA[') text += xml.slice(inside, end);
    at = end + ending.length;
  }
  return { attributes: withoutDeclarations(said), text, hasElements };
}

/**
 * Returns the only element that stands in one which has been checked, as it is written; undefined if there is
 * none, or another one.
 */
export function onlyElement(xml: string): string | undefined {
  let [start, end, depth] = [-1, -1, 0];
  let at = contentStart(xml, rawAttributes(xml));
  for (let next = xml.indexOf('<', at); next >= 0; next = xml.indexOf('<', at)) {
    const [opening, ending] = markupAt(xml, next) ?? [];
    if (opening !== undefined) {
      at = xml.indexOf(ending, next + opening.length) + ending.length;
      continue;
    }
    at = tagEnd(xml, next);
    const isEnd = xml[next + 1] === '/';
    if (depth === 0 && !isEnd) {
      if (start >= 0) return undefined;
      start = next;
    }
    if (isEnd) depth -= 1;
    else if (xml[at - 2] !== '/') depth += 1;
    if (depth === 0) end = at;
  }
  return start < 0 ? undefined : xml.slice(start, end);
}

/** Reads the attributes that `readContent` does. */
export function readAttributes(xml: string): Content['attributes'] {
  return withoutDeclarations(rawAttributes(xml));
}

function withoutDeclarations(attributes: readonly RawAttribute[]): Content['attributes'] {
  const said = attributes.filter(({ name }) => !isDeclaration(name));
  return new Map(said.map(({ name, value }) => [name, value]));
}

/** The text in an element of a tree, without the white space around it. */
export function textOf({ start, end }: XmlElement, xml: string): string {
  return readContent(xml.slice(start, end)).text.trim();
}

/** A text on one line, with single spaces; a space that stands alone is not even looked at. */
export function oneLine(text: string): string {
  return text.replace(/(?: \s|[^\S ])\s*/g, ' ').trim();
}

/** The offset after the start tag with these attributes. */
function contentStart(xml: string, attributes: readonly RawAttribute[]): number {
  return xml.indexOf('>', attributes.at(-1)?.valueEnd ?? 0) + 1;
}

function markupAt(xml: string, at: number): (typeof markup)[number] | undefined {
  const next = xml[at + 1];
  return next === '!' || next === '?' ? markup.find(([opening]) => xml.startsWith(opening, at)) : undefined;
}

function tagEnd(xml: string, start: number): number {
  tag.lastIndex = start;
  return tag.test(xml) ? tag.lastIndex : xml.length;
}
