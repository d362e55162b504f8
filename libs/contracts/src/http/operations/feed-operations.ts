import type { Operation } from '../operation.ts';
import { feedTexts, readerTexts } from '../text-examples.ts';
import { cursorQuery } from './change-operations.ts';

const headers = ['If-None-Match'] as const;
const unmodified = { description: 'Nothing has changed.' } as const;
const published = { 200: { description: 'The feed.', texts: feedTexts }, 304: unmodified } as const;
const problems = ['collection-not-found', 'feed-not-found', 'too-many-readers'] as const;

export const feedOperations = {
  readPartialFeed: {
    method: 'GET',
    path: '/feeds/{collection}.{format}',
    needs: 'feeds',
    tag: 'feeds',
    summary: 'The partial feed',
    description:
      'The latest changes; with `since`, exactly what is newer. Of a tree of feeds, the feed at its root.',
    query: cursorQuery,
    headers,
    responses: published,
    problems: [...problems, 'cursor-gone'],
  },
  readCompleteFeed: {
    method: 'GET',
    path: '/feeds/{collection}/complete.{format}',
    needs: 'feeds',
    tag: 'feeds',
    summary: 'The complete feed',
    description: 'All items; with `since`, exactly what is newer.',
    query: cursorQuery,
    headers,
    responses: published,
    problems: [...problems, 'cursor-gone'],
  },
  readReaderFeed: {
    method: 'GET',
    path: '/feeds/{collection}/reader.{format}',
    needs: 'feeds',
    tag: 'feeds',
    summary: 'The feed for feed readers',
    description: 'The latest items without synchronisation data, as Atom or RSS.',
    headers,
    responses: { 200: { description: 'The feed.', texts: readerTexts }, 304: unmodified },
    problems,
  },
  readNestedFeed: {
    method: 'GET',
    path: '/feeds/{collection}/{feed}.{format}',
    needs: 'feeds',
    tag: 'feeds',
    summary: 'A feed of a tree',
    description: 'A feed of a tree: all its items, with the addresses that their links have here.',
    headers,
    responses: {
      200: {
        description: 'The feed.',
        texts: { 'application/rss+xml': readerTexts['application/rss+xml'] },
      },
      304: unmodified,
    },
    problems,
  },
} as const satisfies Readonly<Record<string, Operation>>;
