import { createHash } from 'node:crypto';
import type { Holding } from '../requests/bounded-reads.ts';
import { pieceBytes } from '../requests/client-writer.ts';
import type { Place } from './text-piece.ts';

/** A part of a text as it is sent. */
export interface Part {
  /** Its bytes in pieces of 64 KiB, each in memory of its own: a piece on its way keeps no other one. */
  readonly pieces: readonly Uint8Array[];
  /** Where the next part begins; absent of the last one. */
  readonly next?: Place;
}

/** A part of a text that clients read, each at its own pace, until its bytes are dropped. */
export class HeldPart implements Holding {
  readers = 0;
  readAt = 0;
  /** Resolves once its bytes are there. */
  made: Promise<void> = Promise.resolve();
  /** Undefined before that, and once they are dropped. */
  pieces: readonly Uint8Array[] | undefined;
  next: Place | undefined;
  length = 0;
  readonly #dropped: () => void;
  #digest: string | undefined;

  /** @param dropped called once its bytes are dropped */
  constructor(dropped: () => void) {
    this.#dropped = dropped;
  }

  fill({ pieces, next }: Part): void {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
    this.next = next;
  }

  readonly drop = (): void => {
    // Those in the middle of it have to know whether they go on with the same bytes.
    if (this.readers > 0) void this.digest;
    this.pieces = undefined;
    this.#dropped();
  };

  /** Names its bytes. */
  get digest(): string {
    if (this.#digest === undefined) {
      const digest = createHash('sha1');
      for (const piece of this.pieces ?? []) digest.update(piece);
      this.#digest = digest.digest('base64');
    }
    return this.#digest;
  }
}

/** A text as a part. */
export function partOf(text: string, next?: Place): Part {
  const bytes = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += pieceBytes)
    pieces.push(Buffer.from(bytes.subarray(start, start + pieceBytes)));
  return { pieces, ...(next && { next }) };
}
