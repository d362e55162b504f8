import { writeFeedEnd, writeFeedStart } from '#xml';
import type { Feed } from './current-feed.ts';

/** The feed's text in pieces: head, items as they are read, end. */
export async function* writeFeed(
  { head, dialect }: Pick<Feed, 'head' | 'dialect'>,
  items: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  yield writeFeedStart(head, dialect);
  yield* items;
  yield writeFeedEnd(head.format);
}
