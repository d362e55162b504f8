import { writeAttribute, writeDeclaration } from '#xml';
import { syncNamespace } from './namespace.ts';
import type { Sharing } from '#xml';

/**
 * Writes `sx:sharing` (2.2) with its `sx:related` (2.3). Throws `FeedError` (rule `xml-character`) for text
 * that XML can't hold.
 */
export function writeSharing({ since, until, expires, related }: Sharing): string {
  const start =
    `<sx:sharing${writeDeclaration('sx', syncNamespace)}${writeAttribute('since', since)}` +
    `${writeAttribute('until', until)}${writeAttribute('expires', expires)}`;
  const inside = related.map(
    ({ link, type, title }) =>
      `<sx:related${writeAttribute('link', link)}${writeAttribute('type', type)}` +
      `${writeAttribute('title', title)}/>`,
  );
  return inside.length === 0 ? `${start}/>` : `${start}>${inside.join('')}</sx:sharing>`;
}
