import { Slices } from '#core';
import type { BoundedReads } from '../requests/bounded-reads.ts';
import { ClientGoneError, pieceBytes } from '../requests/client-writer.ts';
import { HeldPart, partOf } from './held-part.ts';
import type { Part } from './held-part.ts';
import type { Place, TextPiece } from './text-piece.ts';

/** About how many characters a part has; one of a single piece may have more. */
const partLength = 65_536;

/** How many characters a part may have for its source to be kept, and not begun again for the next part. */
const largestKept = 2 * partLength;

/** The key of the place before the first piece; no other one is negative. */
const beginning = -1;

/** What comes after the part that was made last. */
interface Following {
  readonly key: number;
  readonly pieces: AsyncIterator<TextPiece>;
}

/**
 * A text that is made in parts, once for all that read it at the same time. A reader that is slower than the
 * others finds its next part in memory, or has it made again: it takes no more memory than what is on its way
 * to the client.
 */
export class SharedText {
  readonly #reads: BoundedReads;
  readonly #start: Place;
  readonly #parts = new Map<number, HeldPart>();
  readonly #slices = new Slices();
  #following: Following | undefined;
  #openings = 0;

  constructor(reads: BoundedReads, read: () => AsyncIterable<TextPiece>) {
    this.#reads = reads;
    this.#start = { key: beginning, read };
  }

  /** Keeps the parts that are made, as far as there is memory, until `close` is called as often. */
  open(): void {
    this.#openings += 1;
  }

  close(): void {
    this.#openings -= 1;
    if (this.#openings > 0) return;
    for (const part of this.#parts.values()) this.#reads.release(part);
    this.#parts.clear();
    this.#follow(undefined);
  }

  /**
   * Reads the text in pieces of 64 KiB at most. Throws what its source throws, `ClientGoneError` if what the
   * reader was reading is not as it was or can't be read again, `ProblemError` 503 if there is no memory.
   */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    this.open();
    try {
      for (let place: Place | undefined = this.#start; place !== undefined;)
        place = yield* this.#readPart(place);
    } finally {
      this.close();
    }
  }

  /** Reads a part; returns the place after it. */
  async *#readPart(place: Place): AsyncGenerator<Uint8Array, Place | undefined, undefined> {
    let part = this.#enter(place);
    try {
      await part.made;
      for (let read = 0; read * pieceBytes < part.length;) {
        if (part.pieces === undefined) {
          const before = part;
          part = this.#enter(place);
          before.readers -= 1;
          await part.made;
          if (read > 0 && part.digest !== before.digest)
            throw new ClientGoneError('stalled', 'the item that the client was reading has changed');
        } else {
          this.#reads.touch(part);
          yield* part.pieces.slice(read, (read += 1));
        }
      }
      return part.next;
    } finally {
      part.readers -= 1;
    }
  }

  #enter(place: Place): HeldPart {
    const { key } = place;
    const part = this.#parts.get(key) ?? this.#begin(place);
    part.readers += 1;
    return part;
  }

  #begin(place: Place): HeldPart {
    const forget = (): void => void this.#parts.delete(place.key);
    const part = new HeldPart(forget);
    this.#parts.set(place.key, part);
    part.made = this.#reads.run(async () => {
      part.fill(await this.#make(place));
      this.#reads.hold(part);
    });
    part.made.catch(forget);
    return part;
  }

  async #make(place: Place): Promise<Part> {
    const pieces = this.#piecesFrom(place);
    let text = '';
    for (;;) {
      const { done, value } = await pieces.next();
      if (done === true) return partOf(text);
      const { next } = value;
      text += value.text;
      // It would be read for ever.
      if (next?.key === place.key) throw new Error(`a text does not go on at its place ${next.key}`);
      await this.#slices.rest();
      if (text.length < partLength || next === undefined) continue;
      // A generator that waits holds what it gave last.
      if (text.length <= largestKept || next.read === undefined) this.#follow({ key: next.key, pieces });
      else await pieces.return?.();
      return partOf(text, next);
    }
  }

  #piecesFrom({ key, read }: Place): AsyncIterator<TextPiece> {
    const following = this.#following;
    if (following?.key !== key) {
      if (read === undefined) throw tooSlow();
      return read()[Symbol.asyncIterator]();
    }
    this.#following = undefined;
    return following.pieces;
  }

  #follow(following: Following | undefined): void {
    void this.#following?.pieces.return?.();
    this.#following = following;
  }
}

/** A text that is read only once: for one client, and not again for one that is slower than others allow. */
export function textReadOnce(
  reads: BoundedReads,
  text: AsyncIterable<string> | Iterable<string>,
): SharedText {
  let isRead = false;
  return new SharedText(reads, async function* () {
    if (isRead) throw tooSlow();
    isRead = true;
    let key = 0;
    for await (const piece of text) yield { text: piece, next: { key: (key += 1) } };
  });
}

function tooSlow(): ClientGoneError {
  return new ClientGoneError('stalled', 'the client read too slowly, and others needed the memory');
}
