import { rfc822Date, writeAttribute } from '#xml';
import type { Sharing } from '#xml';

/**
 * Writes `sx:sharing` (SSE 2.1) with its `sx:related` (2.2); its version is 0.91 if none is given. Throws
 * `FeedError` (rule `xml-character`) for text that XML can't hold.
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
