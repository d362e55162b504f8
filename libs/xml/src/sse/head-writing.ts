import { escapeAttribute, escapeText } from '../escape.ts';
import type { Sharing } from '../feed.ts';
import { selfLink } from '../head-writing.ts';
import type { Child, Format } from '../payload.ts';
import { rfc822Date } from '../rfc822-date.ts';

/** What the head of a feed of our own says. */
interface Description {
  readonly format: Format;
  readonly title: string;
  readonly selfUrl: string;
  /** RFC 3339. */
  readonly updated: string;
  readonly description?: string;
}

/**
 * The children of `channel` (RSS 2.0) or of `head` (OPML 1.0). Throws `FeedError` (rule `xml-character`) for
 * text that XML can't hold.
 */
export function headChildren({ format, title, selfUrl, updated, description }: Description): Child[] {
  const child = (name: string, text: string) => ({
    namespace: '',
    name,
    xml: `<${name}>${escapeText(text)}</${name}>`,
  });
  if (format === 'opml') return [child('title', title), child('dateModified', rfc822Date(updated))];
  return [
    child('title', title),
    child('link', selfUrl),
    child('description', description ?? title),
    child('lastBuildDate', rfc822Date(updated)),
    selfLink(selfUrl),
  ];
}

/**
 * Writes `sx:sharing` (SSE 2.1) with its `sx:related` (2.2); its version is 0.91 where none is given. Throws
 * `FeedError` like `headChildren`.
 */
export function writeSseSharing({ since, until, version = '0.91', window, related }: Sharing): string {
  const start =
    `<sx:sharing${writeMoments({ since, until })}${writeAttribute('version', version)}` +
    writeAttribute('window', window?.toString());
  const inside = related.map(
    ({ link, type, title, ...moments }) =>
      `<sx:related${writeAttribute('link', link)}${writeAttribute('type', type)}` +
      `${writeAttribute('title', title)}${writeMoments(moments)}/>`,
  );
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('')}</sx:sharing>`;
}

function writeMoments({ since, until }: Pick<Sharing, 'since' | 'until'>): string {
  return (
    writeAttribute('since', since && rfc822Date(since)) + writeAttribute('until', until && rfc822Date(until))
  );
}

function writeAttribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`;
}
