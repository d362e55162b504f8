import type { TextPiece } from '../../apps/gateway/src/texts/text-piece.ts';

/** The texts of pieces. */
export async function* textsOf(pieces: AsyncIterable<TextPiece>): AsyncGenerator<string, void, undefined> {
  for await (const { text } of pieces) yield text;
}
