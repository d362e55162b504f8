import { writeFeedEnd, writeFeedStart } from '#feed-xml';
import type { FeedItem } from '#ports';
import type { Feed } from './feed.ts';

/** About how many characters are handed on at once. */
const pieceLength = 65_536;

/** The feed's text in pieces: head, items as they are read, end. */
export async function* writeFeed({ head }: Feed, items: AsyncIterable<Pick<FeedItem, 'entry'>>): AsyncGenerator<string, void, undefined> {
  let text = writeFeedStart(head);
  for await (const { entry } of items) {
    text += entry;
    if (text.length < pieceLength) continue;
    yield text;
    text = '';
  }
  yield text + writeFeedEnd(head.format);
}
