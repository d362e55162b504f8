import type { Page } from '#contracts';
import { nameOf } from '#core';
import type { Collection } from '#core';
import { feedUrls, readerFeedUrls } from '../feeds/feed-url.ts';
import { escapeHtml } from './escape-html.ts';
import { anchor, writeHtmlPage } from './html-page.ts';
import { indexLinks } from './index-links.ts';

const formatNames = { atom: 'Atom', rss: 'RSS', opml: 'OPML' } as const;

export interface IndexPage {
  readonly publicUrl: string;
  /** Of which collections the page can be: none before the visitor has signed in. */
  readonly access: 'none' | 'some' | 'all';
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
export function writeIndexPage({ publicUrl, access, endpoint, page, isFirst }: IndexPage): string {
  const { documentation, ready, deadLetters, collections, subscriptions } = indexLinks(publicUrl);
  const installation =
    endpoint === undefined ? '' : ` This installation is <code>${escapeHtml(endpoint)}</code>.`;
  return writeHtmlPage({
    title: 'Feedmesh',
    head: (page?.items ?? []).flatMap((collection) => discovery(publicUrl, collection)),
    body: [
      '<h1>Feedmesh</h1>',
      `<p>Keeps collections in step over feeds (FeedSync, SSE, CSE).${installation}</p>`,
      `<nav>${anchor(documentation, 'Documentation of the API')}${anchor(ready, 'Health')}` +
        `${anchor(collections, 'Collections as JSON')}${anchor(subscriptions, 'Subscriptions')}` +
        `${anchor(deadLetters, 'Dead letters')}</nav>`,
      '<h2>Collections</h2>',
      ...(access === 'none' ? [signIn(publicUrl)] : collectionsTable(publicUrl, page, isFirst, access)),
    ],
  });
}

function signIn(publicUrl: string): string {
  return (
    `<p>This gateway requires a key. ${anchor(`${publicUrl}/?signIn=true`, 'Sign in')} with any user name, ` +
    'and a key with the permission <code>read</code> as the password, to see the collections.</p>'
  );
}

function collectionsTable(
  publicUrl: string,
  page: Page<Collection> | undefined,
  isFirst: boolean,
  access: IndexPage['access'],
): string[] {
  if (page === undefined)
    return ['<p>They cannot be read, because MongoDB is not available. Try again soon.</p>'];
  if (page.items.length === 0)
    return [isFirst ? `<p>${noCollections(access)}</p>` : '<p>There are no more.</p>'];
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

function noCollections(access: IndexPage['access']): string {
  return access === 'all'
    ? 'There is none yet. <code>feedmesh collection create</code> makes one.'
    : 'Your key has the permission <code>read</code> for none of them.';
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
