import { escapeText } from '../escape.ts';
import { atomNamespace } from '../namespace.ts';
import { generator, titleOf } from './reader-entry.ts';
import type { ReaderEntry, ReaderFeedDescription } from './reader-entry.ts';
import type { ReaderAuthor, ReaderEnclosure } from './reader-item.ts';
import { asHtml, textElement, writeAttributes } from './reader-markup.ts';
import type { ReaderText } from './reader-text.ts';

/** An Atom feed up to its first entry (RFC 4287, 4.1.1). */
export function atomStart(description: ReaderFeedDescription): string {
  const { title, description: subtitle, id, selfUrl, siteUrl, updated, author } = description;
  return [
    `<feed xmlns="${atomNamespace}">`,
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
    textElement('id', entry.id),
    textElement('published', entry.published),
    textElement('updated', entry.updated),
    ...entry.authors.map(person),
    ...entry.categories.map(
      ({ term, scheme, label }) => `<category${writeAttributes({ term, scheme, label })}/>`,
    ),
    plainText('rights', entry.rights),
    entry.summary === undefined ? '' : textConstruct('summary', entry.summary),
    textConstruct('content', entry.content ?? { type: 'text', value: title }),
    '</entry>',
  ].join('');
}

/** An Atom link to a file, also for other formats. */
export function atomEnclosure(name: string, { url, length, type }: ReaderEnclosure): string {
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

function person({ name, email, uri }: ReaderAuthor): string {
  const parts = textElement('name', name) + textElement('uri', uri) + textElement('email', email);
  return `<author>${parts}</author>`;
}
