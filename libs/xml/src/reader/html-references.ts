import { escapeAttribute } from '../escape.ts';
import { absoluteUrl } from './absolute-url.ts';
import type { Steps } from '../steps.ts';

/** The attributes of HTML that hold one reference. */
const referenceNames: ReadonlySet<string> = new Set([
  'href',
  'src',
  'poster',
  'cite',
  'action',
  'formaction',
  'data',
  'background',
  'longdesc',
  'xlink:href',
]);

/** Elements whose content is no markup (HTML, 13.1.2). */
const rawElements: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);

/** How many candidates a `srcset` has whose references are made absolute; pages have some ten. */
const mostCandidates = 1000;

/** Where an attribute's value stands in a text. */
interface Value {
  readonly start: number;
  readonly end: number;
  /** Lower case. */
  readonly name: string;
}

/**
 * A piece of HTML with its relative references made absolute, since a feed reader shows it at another
 * address. References within the page (`#note`) stay, and so does everything else. Takes any text, in time
 * that grows with its length, a step for each attribute.
 * @param base absolute
 */
export function* withAbsoluteReferences(html: string, base: string): Steps<string> {
  let written = '';
  let done = 0;
  for (const { start, end, name } of attributeValues(html)) {
    yield;
    const value = html.slice(start, end);
    const absolute = absoluteValue(name, value.replace(/&(?:amp|#0{0,5}38|#x0{0,5}26);/gi, '&'), base);
    if (absolute === undefined) continue;
    const quote = html[start - 1] === '"' || html[start - 1] === "'" ? '' : '"';
    written += html.slice(done, start) + quote + escapeAttribute(absolute).replaceAll("'", '&#39;') + quote;
    done = end;
  }
  return done === 0 ? html : written + html.slice(done);
}

/** What is to stand in an attribute instead of its value; undefined if it stays. */
export function absoluteValue(name: string, value: string, base: string): string | undefined {
  if (name === 'srcset' || name === 'imagesrcset') return absoluteSet(value, base);
  return referenceNames.has(name) && isRelative(value) ? absoluteUrl(value, base) : undefined;
}

/** The candidates of a `srcset`: each a reference, and a description after it. */
function absoluteSet(value: string, base: string): string | undefined {
  const candidates = value.split(/,\s+/, mostCandidates + 1);
  if (candidates.length > mostCandidates) return undefined;
  return candidates
    .map((candidate) => {
      const [reference = '', ...description] = candidate.trim().split(/\s+/);
      return [
        isRelative(reference) ? (absoluteUrl(reference, base) ?? reference) : reference,
        ...description,
      ].join(' ');
    })
    .join(', ');
}

function isRelative(reference: string): boolean {
  const text = reference.trim();
  return text !== '' && !text.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/i.test(text);
}

/** The values of the attributes of all start tags, in order. */
function* attributeValues(html: string): Generator<Value> {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = endOf(html, '-->', at + 4);
      continue;
    }
    const name = matchAt(/[a-z][^\s/>]*/iy, html, at + 1)?.toLowerCase();
    if (name === undefined) {
      at += 1;
      continue;
    }
    at += 1 + name.length;
    for (
      let attribute = nextAttribute(html, at);
      attribute !== undefined;
      attribute = nextAttribute(html, at)
    ) {
      if (attribute.value !== undefined) yield attribute.value;
      at = attribute.end;
    }
    if (rawElements.has(name)) at = rawEnd(html, name, at);
  }
}

/** The attribute that follows in a tag, and where it ends; undefined at the end of the tag. */
function nextAttribute(
  html: string,
  from: number,
): { readonly value?: Value; readonly end: number } | undefined {
  const at = from + (matchAt(/[\s/]+/y, html, from)?.length ?? 0);
  const name = matchAt(/[^\s/>=][^\s/>=]*/y, html, at);
  if (name === undefined) return html[at] === '=' ? { end: at + 1 } : undefined;
  const equals = matchAt(/\s*=\s*/y, html, at + name.length);
  if (equals === undefined) return { end: at + name.length };
  const opening = at + name.length + equals.length;
  const quote = html[opening];
  const isQuoted = quote === '"' || quote === "'";
  const start = isQuoted ? opening + 1 : opening;
  const end = isQuoted ? html.indexOf(quote, start) : start + (matchAt(/[^\s>]+/y, html, start)?.length ?? 0);
  // A quote without an end: the rest is no markup.
  if (end < 0) return { end: html.length };
  return { value: { start, end, name: name.toLowerCase() }, end: isQuoted ? end + 1 : end };
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Where the content of an element ends that holds no markup. */
function rawEnd(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}`, 'gi');
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

function endOf(html: string, ending: string, from: number): number {
  const end = html.indexOf(ending, from);
  return end < 0 ? html.length : end + ending.length;
}
