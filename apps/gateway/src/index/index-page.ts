import type { Page } from '#contracts';
import { createHash } from 'node:crypto';
import { nameOf } from '#core';
import type { Collection } from '#core';
import { feedUrls, readerFeedUrls } from '../feeds/feed-url.ts';
import { escapeHtml } from './escape-html.ts';
import { indexLinks } from './index-links.ts';

const style = [
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 ' +
    '1rem;color:#222;background:#fff}',
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem ' +
    '.8rem .4rem 0;border-top:1px solid #ccc}',
  'td{overflow-wrap:anywhere}nav a,td a{margin-right:.8rem}small{color:#555}',
  '@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}a{color:#8bf}small{color:#aaa}th,' +
    'td{border-color:#444}}',
].join('');

/** What the page may do: be shown, with its own style. */
export const indexPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const formatNames = { atom: 'Atom', rss: 'RSS', opml: 'OPML' } as const;

interface IndexPage {
  readonly publicUrl: string;
  /** What endpoint identifiers of new collections begin with; absent while that can't be read. */
  readonly endpoint?: string;
  /** A page of the collections; absent while they can't be read. */
  readonly page?: Page<Collection>;
  /** Whether that page is the first one. */
  readonly isFirst: boolean;
}

/**
 * A page for people, in HTML: what this is, where its documentation and health are, and the collections with
 * their feeds.
 */
export function writeIndexPage({ publicUrl, endpoint, page, isFirst }: IndexPage): string {
  const { documentation, ready, deadLetters, collections } = indexLinks(publicUrl);
  const installation =
    endpoint === undefined ? '' : ` This installation is <code>${escapeHtml(endpoint)}</code>.`;
  return [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<title>Feedmesh</title>',
    `<style>${style}</style>`,
    ...(page?.items ?? []).flatMap((collection) => discovery(publicUrl, collection)),
    '</head>',
    '<body>',
    '<h1>Feedmesh</h1>',
    `<p>Keeps collections in step over feeds (FeedSync, SSE, CSE).${installation}</p>`,
    `<nav>${anchor(documentation, 'Documentation of the API')}${anchor(ready, 'Health')}` +
      `${anchor(collections, 'Collections as JSON')}${anchor(deadLetters, 'Dead letters')}</nav>`,
    '<h2>Collections</h2>',
    ...collectionsTable(publicUrl, page, isFirst),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function collectionsTable(publicUrl: string, page: Page<Collection> | undefined, isFirst: boolean): string[] {
  if (page === undefined)
    return ['<p>They cannot be read, because MongoDB is not available. Try again soon.</p>'];
  if (page.items.length === 0)
    return isFirst
      ? ['<p>There is none yet. <code>feedmesh collection create</code> makes one.</p>']
      : ['<p>There are no more.</p>'];
  const rows = page.items.map((collection) => row(publicUrl, collection));
  const next =
    page.next === undefined
      ? []
      : [`<p>${anchor(`${publicUrl}/?cursor=${encodeURIComponent(page.next)}`, 'More collections')}</p>`];
  return [
    '<table>',
    '<tr><th>Collection</th><th>For feed readers</th><th>Synchronised feeds</th></tr>',
    ...rows,
    '</table>',
    ...next,
  ];
}

function row(publicUrl: string, collection: Collection): string {
  const { key, title, protocol, publication } = collection;
  const published =
    publication.updatedAt === undefined
      ? 'not published yet'
      : `published ${publication.updatedAt.toISOString().slice(0, 19)}Z`;
  const feeds = (urls: Readonly<Partial<Record<keyof typeof formatNames, string>>>): string =>
    Object.entries(urls)
      .map(([format, url]) => anchor(url, formatNames[format as keyof typeof formatNames]))
      .join('');
  const heading =
    `${anchor(`${publicUrl}/v1/collections/${nameOf(key)}`, title)}<br>` +
    `<small>${escapeHtml(nameOf(key))}, ${protocol}, ${published}</small>`;
  return (
    `<tr><td>${heading}</td><td>${feeds(readerFeedUrls(publicUrl, collection) ?? {})}</td>` +
    `<td>${feeds(feedUrls(publicUrl, collection, 'partial'))}</td></tr>`
  );
}

/** What a feed reader finds a collection by. */
function discovery(publicUrl: string, collection: Collection): string[] {
  const feeds = readerFeedUrls(publicUrl, collection);
  return feeds === undefined
    ? []
    : [
        `<link rel="alternate" type="application/atom+xml" href="${escapeHtml(feeds.atom)}" ` +
          `title="${escapeHtml(collection.title)}">`,
      ];
}

function anchor(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
