import { writeFeedEnd, writeFeedStart } from '#xml';
import type { FeedItem } from '#core';
import type { Feed } from './current-feed.ts';

/** The feed's text in pieces: head, items as they are read, end. */
export async function* writeFeed(
  { head, dialect }: Pick<Feed, 'head' | 'dialect'>,
  items: AsyncIterable<Pick<FeedItem, 'entry'>>,
): AsyncGenerator<string, void, undefined> {
  yield writeFeedStart(head, dialect);
  for await (const { entry } of items) yield entry;
  yield writeFeedEnd(head.format);
}
