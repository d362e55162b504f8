import { DocumentBeginning } from '#xml';
import type { DocumentKind } from '#xml';
import type { FetchResponse } from '#core';
import { continued } from '../body-pieces.ts';

type Document = Extract<FetchResponse, { status: 'ok' }>;

/** How much of a document shows what it is, in bytes. */
const shownLength = 4096;

/** A document of which the first bytes have arrived. */
export interface BegunDocument {
  /** What it is, as far as its beginning shows, and that beginning. */
  readonly kind: DocumentKind['kind'];
  readonly beginning: Uint8Array;
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
  const body = continued(pieces, rest);
  const { kind } = beginning.kind;
  const document = { ...response, body };
  return { kind, beginning: Buffer.concat(pieces), response: document };
}
