import { readDate } from '../date.ts';
import { readMarkup } from '../markup.ts';
import { xhtmlNamespace } from '../namespace.ts';
import type { Scope } from '../payload.ts';
import { readContent } from '../text-content.ts';
import type { Content } from '../text-content.ts';
import { quote } from '../violation-list.ts';
import { childrenCalled } from './located.ts';
import type { LocatedChild, LocatedElement } from './located.ts';
import type { FormatViolations } from './format-violations.ts';

const textTypes = ['text', 'html', 'xhtml'];
const dateTime =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;
const iri = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/;
const mediaType = /^[^\s/;,]+\/[^\s/;,]+(?:\s*;.*)?$/;

/** Checks what the elements of a feed or an entry contain (RFC 4287, 3 and 4.2). */
export function checkConstructs(element: LocatedElement, violations: FormatViolations): void {
  const { scope } = element;
  const each = (names: readonly string[], check: (child: LocatedChild, content: Content) => void): void => {
    for (const name of names)
      for (const child of childrenCalled(element, name)) check(child, readContent(child.xml));
  };
  each(['title', 'subtitle', 'summary', 'rights'], (child, content) =>
    checkText(child, content, scope, violations),
  );
  each(['content'], (child, content) => checkContent(child, content, scope, violations));
  each(['updated', 'published'], (child, { text }) => {
    if (!dateTime.test(text) || readDate(text) === undefined)
      violations.add(child, 'atom-date', `${quote(text)} is not a date-time of RFC 3339.`);
  });
  each(['id'], (child, { text }) => {
    if (!iri.test(text))
      violations.add(
        child,
        'atom-id',
        `${quote(text)} is not an IRI, which has a scheme and no white space.`,
      );
  });
  each(['link'], (child, { attributes }) => {
    if (!attributes.has('href')) violations.add(child, 'atom-link-href', 'A link has an "href".');
  });
  each(['category'], (child, { attributes }) => {
    if (!attributes.has('term')) violations.add(child, 'atom-category-term', 'A category has a "term".');
  });
  each(['author', 'contributor'], (child) => {
    const names = elementsIn(child, scope).filter((name) => name === `${child.namespace} name`);
    if (names.length !== 1)
      violations.add(child, 'atom-person-name', `A person has one name; this one has ${names.length}.`);
  });
}

function checkText(
  child: LocatedChild,
  { attributes, hasElements }: Content,
  scope: Scope,
  violations: FormatViolations,
): void {
  const type = attributes.get('type') ?? 'text';
  if (!textTypes.includes(type))
    violations.add(child, 'atom-text-type', `A text has the type text, html or xhtml, not ${quote(type)}.`);
  else checkMarkup(child, type, hasElements, scope, violations);
}

function checkContent(
  child: LocatedChild,
  { attributes, text, hasElements }: Content,
  scope: Scope,
  violations: FormatViolations,
): void {
  const type = attributes.get('type');
  const isText = type === undefined || textTypes.includes(type);
  const isMedia = type !== undefined && mediaType.test(type) && !/^(?:multipart|message)\//i.test(type);
  if (attributes.has('src')) {
    if (text.trim() !== '' || hasElements)
      violations.add(child, 'atom-content-src', 'A content with "src" is empty.');
    if (type !== undefined && !isMedia)
      violations.add(
        child,
        'atom-content-type',
        `The type of a content with "src" is a media type, not ${quote(type)}.`,
      );
  } else if (isText) checkMarkup(child, type ?? 'text', hasElements, scope, violations);
  else if (!isMedia)
    violations.add(
      child,
      'atom-content-type',
      `${quote(type)} is not text, html, xhtml or the media type of one document.`,
    );
}

function checkMarkup(
  child: LocatedChild,
  type: string,
  hasElements: boolean,
  scope: Scope,
  violations: FormatViolations,
): void {
  if (type !== 'xhtml') {
    if (hasElements)
      violations.add(
        child,
        'atom-text-markup',
        `A text of the type ${type} has no elements: its markup is escaped.`,
      );
  } else if (elementsIn(child, scope).join() !== `${xhtmlNamespace} div`)
    violations.add(
      child,
      'atom-text-xhtml',
      'A text of the type xhtml has one div of XHTML, and nothing else.',
    );
}

/** The elements right below a child: `NAMESPACE NAME`. */
export function elementsIn(child: LocatedChild, scope: Scope): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  for (const piece of readMarkup(child, scope)) {
    if (piece.kind === 'start' && (depth += 1) === 2) found.push(`${piece.namespace} ${piece.name}`);
    if (piece.kind === 'end') depth -= 1;
  }
  return found;
}

/** Whether an entry with this content needs a summary: its text is elsewhere, or in Base64 (4.1.2). */
export function needsSummary({ attributes }: Content): boolean {
  const type = attributes.get('type') ?? 'text';
  const isReadable = textTypes.includes(type) || /^text\/|[/+]xml\s*(?:;|$)/i.test(type);
  return attributes.has('src') || !isReadable;
}
