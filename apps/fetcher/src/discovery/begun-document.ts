import { DocumentBeginning } from '#xml';
import type { FetchResponse } from '#core';

type Document = Extract<FetchResponse, { status: 'ok' }>;

/** How much of a document shows what it is, in bytes. */
const shownLength = 4096;

/** A document of which the first bytes have arrived. */
export interface BegunDocument {
  readonly isHtml: boolean;
  /** The response with the whole of its body. */
  readonly response: Document;
}

/** Reads as much of a document as says what it is. */
export async function beginDocument(response: Document): Promise<BegunDocument> {
  const rest = response.body[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  const beginning = new DocumentBeginning();
  for (let length = 0; length < shownLength;) {
    const { done, value } = await rest.next();
    if (done === true) break;
    beginning.take(value);
    pieces.push(value);
    length += value.length;
  }
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    next: async () => {
      const piece = pieces.shift();
      return piece === undefined ? rest.next() : { done: false, value: piece };
    },
    return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
  };
  return { isHtml: beginning.kind.kind === 'html', response: { ...response, body } };
}

/** The first bytes of a body, at most so many; the rest is not read. */
export async function firstBytes(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece.subarray(0, limit - length));
    length += piece.length;
    if (length >= limit) break;
  }
  return Buffer.concat(pieces);
}
