import { escapeText } from '../escape.ts';
import { atomNamespace } from '../namespace.ts';
import { generator, titleOf } from './reader-entry.ts';
import type { ReaderEntry, ReaderFeedDescription } from './reader-entry.ts';
import type { ItemAuthor } from '../item-authors.ts';
import { mediaNamespace } from '../item-media.ts';
import type { Enclosure } from '../item-media.ts';
import type { ItemSource } from '../item-relations.ts';
import { asHtml, textElement, writeAttributes } from './reader-markup.ts';
import type { ReaderText } from './reader-text.ts';

/** An Atom feed up to its first entry (RFC 4287, 4.1.1). */
export function atomStart(description: ReaderFeedDescription): string {
  const { title, description: subtitle, id, selfUrl, siteUrl, updated, author } = description;
  return [
    `<feed xmlns="${atomNamespace}" xmlns:media="${mediaNamespace}">`,
    plainText('title', title),
    plainText('subtitle', subtitle),
    textElement('id', id),
    textElement('updated', updated),
    `<link${writeAttributes({ rel: 'self', type: 'application/atom+xml', href: selfUrl })}/>`,
    `<link${writeAttributes({ rel: 'alternate', href: siteUrl })}/>`,
    person({ name: author }),
    textElement('generator', generator),
  ].join('');
}

/**
 * An entry by RFC 4287 (4.1.2), with a title and content that are not empty, as it advises. Text that looks
 * like markup is written as HTML, so that nobody takes it for that.
 */
export function atomEntry(entry: ReaderEntry): string {
  const title = titleOf(entry);
  return [
    `<entry${writeAttributes({ 'xml:lang': entry.language })}>`,
    plainText('title', title),
    entry.link === undefined ? '' : `<link${writeAttributes({ rel: 'alternate', href: entry.link })}/>`,
    ...entry.enclosures.map((enclosure) => atomEnclosure('link', enclosure)),
    entry.comments === undefined ? '' : `<link${writeAttributes({ rel: 'replies', href: entry.comments })}/>`,
    entry.image === undefined ? '' : `<media:thumbnail${writeAttributes({ url: entry.image })}/>`,
    textElement('id', entry.id),
    textElement('published', entry.published),
    textElement('updated', entry.updated),
    ...entry.authors.map(person),
    ...entry.categories.map(
      ({ term, scheme, label }) => `<category${writeAttributes({ term, scheme, label })}/>`,
    ),
    plainText('rights', entry.rights),
    entry.source === undefined ? '' : writeSource(entry.source, entry.updated),
    entry.summary === undefined ? '' : textConstruct('summary', entry.summary),
    textConstruct('content', entry.content ?? { type: 'text', value: title }),
    '</entry>',
  ].join('');
}

/** An Atom link to a file, also for other formats. */
export function atomEnclosure(name: string, { url, length, type }: Enclosure): string {
  return `<${name}${writeAttributes({ rel: 'enclosure', href: url, length: length?.toString(), type })}/>`;
}

function plainText(name: string, value: string | undefined): string {
  return value === undefined ? '' : textConstruct(name, { type: 'text', value });
}

function textConstruct(name: string, text: ReaderText): string {
  const isHtml = text.type === 'html' || /[<&]/.test(text.value);
  const written = isHtml ? asHtml(text) : text.value;
  return `<${name}${isHtml ? ' type="html"' : ''}>${escapeText(written)}</${name}>`;
}

/** The feed that an entry was copied from (RFC 4287, 4.2.11). */
function writeSource({ title, url }: ItemSource, updated: string): string {
  const link = url === undefined ? '' : `<link${writeAttributes({ rel: 'self', href: url })}/>`;
  const id = url === undefined ? '' : textElement('id', url);
  return `<source>${id}${plainText('title', title)}${textElement('updated', updated)}${link}</source>`;
}

function person({ name, email, uri }: ItemAuthor): string {
  const parts = textElement('name', name) + textElement('uri', uri) + textElement('email', email);
  return `<author>${parts}</author>`;
}
