import { escapeText } from '../escape.ts';
import { mediaNamespace } from '../item-media.ts';
import { atomNamespace, contentNamespace, dublinCoreNamespace } from '../namespace.ts';
import { rfc822Date } from '../rfc822-date.ts';
import { isHttp } from './absolute-url.ts';
import { atomEnclosure } from './reader-atom.ts';
import { generator, titleOf } from './reader-entry.ts';
import type { ReaderEntry, ReaderFeedDescription } from './reader-entry.ts';
import type { Enclosure } from '../item-media.ts';
import { asHtml, textElement, writeAttributes } from './reader-markup.ts';

const declarations = {
  'xmlns:atom': atomNamespace,
  'xmlns:content': contentNamespace,
  'xmlns:dc': dublinCoreNamespace,
  'xmlns:media': mediaNamespace,
};

/** An RSS 2.0 feed up to its first item, with its own address as `atom:link`. */
export function rssStart(feed: ReaderFeedDescription): string {
  const { title, description = title, selfUrl, siteUrl, updated } = feed;
  return [
    `<rss version="2.0"${writeAttributes(declarations)}><channel>`,
    plainElement('title', title),
    plainElement('link', siteUrl),
    plainElement('description', description),
    plainElement('lastBuildDate', rfc822Date(updated)),
    plainElement('generator', generator),
    plainElement('docs', 'https://www.rssboard.org/rss-specification'),
    `<atom:link${writeAttributes({ rel: 'self', type: 'application/rss+xml', href: selfUrl })}/>`,
  ].join('');
}

/**
 * An item by RSS 2.0 and its best practices profile. `description` holds the content, or the summary with the
 * content beside it. Of several enclosures one is RSS's, as most readers take no second one, the others are
 * Atom links.
 */
export function rssItem(entry: ReaderEntry): string {
  const { link, content, summary, authors, categories, enclosures, image, comments, source } = entry;
  const first = enclosures.find(({ url }) => isHttp(url));
  const others = enclosures.filter((enclosure) => enclosure !== first);
  return [
    '<item>',
    plainElement('title', titleOf(entry)),
    link === undefined ? '' : plainElement('link', link),
    textElement('description', content && asHtml(summary ?? content)),
    textElement('content:encoded', summary && content && asHtml(content)),
    ...authors.map(({ name }) => plainElement('dc:creator', name)),
    ...categories.map(({ term, scheme, label }) =>
      plainElement('category', label ?? term, { domain: scheme }),
    ),
    first === undefined ? '' : rssEnclosure(first),
    ...others.map((enclosure) => atomEnclosure('atom:link', enclosure)),
    image === undefined ? '' : `<media:thumbnail${writeAttributes({ url: image })}/>`,
    comments === undefined ? '' : plainElement('comments', comments),
    source?.url === undefined ? '' : plainElement('source', source.title ?? '', { url: source.url }),
    plainElement('guid', entry.id, { isPermaLink: 'false' }),
    plainElement('pubDate', rfc822Date(entry.published)),
    plainElement('atom:updated', entry.updated),
    '</item>',
  ].join('');
}

/** RSS requires all three attributes; 0 stands for an unknown length. */
function rssEnclosure({ url, length = 0, type = 'application/octet-stream' }: Enclosure): string {
  return `<enclosure${writeAttributes({ url, length: length.toString(), type })}/>`;
}

/** A text that is not HTML: the profile has `&` and `<` in hexadecimal, which no reader takes for markup. */
function plainElement(
  name: string,
  text: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
): string {
  const plain = escapeText(text).replaceAll('&amp;', '&#x26;').replaceAll('&lt;', '&#x3C;');
  return `<${name}${writeAttributes(attributes)}>${plain}</${name}>`;
}
