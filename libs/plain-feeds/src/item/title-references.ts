import { decodeHTMLStrict } from 'entities';
import { formatNamespace, readContent } from '#xml';
import type { Child, FeedFormat } from '#xml';
import { writeValue } from './value-element.ts';

const reference = /&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});/gi;

/** Characters of markup, to which a reference stays one, by format: Atom has a type for titles in HTML. */
const markup: Readonly<Record<FeedFormat, RegExp>> = { atom: /^[&<>"']$/, rss: /^[<>]$/ };

/** A title in plain text with the characters that its references stand for: publishers escape titles twice. */
export function withTitleReferences(child: Child, format: FeedFormat): Child {
  if (child.name !== 'title' || child.namespace !== formatNamespace(format)) return child;
  const { text, attributes, hasElements } = readContent(child.xml);
  const isText = ['text', 'text/plain'].includes(attributes.get('type')?.trim().toLowerCase() ?? 'text');
  if (hasElements || (format === 'atom' && !isText) || !text.includes('&')) return child;
  const decoded = text.replace(reference, (written) => {
    const character = decodeHTMLStrict(written);
    return markup[format].test(character) ? written : character;
  });
  return decoded === text ? child : writeValue(child, decoded);
}
