import { writeFeedEnd, writeFeedStart } from '#xml';
import type { TextPiece } from '../texts/text-piece.ts';
import type { Feed } from './current-feed.ts';

/** The feed's text in pieces: head, items as they are read, end. */
export async function* writeFeed(
  { head, dialect }: Pick<Feed, 'head' | 'dialect'>,
  items: AsyncIterable<TextPiece>,
): AsyncGenerator<TextPiece, void, undefined> {
  yield { text: writeFeedStart(head, dialect) };
  yield* withEnd(items, writeFeedEnd(head.format));
}

/** Pieces, each with what follows it, and an end. */
export async function* withEnd(
  pieces: AsyncIterable<TextPiece>,
  end: string,
): AsyncGenerator<TextPiece, void, undefined> {
  for await (const { text, next } of pieces) {
    const read = next?.read;
    yield { text, ...(next && { next: { ...next, ...(read && { read: () => withEnd(read(), end) }) } }) };
  }
  yield { text: end };
}
