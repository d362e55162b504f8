import { writeMarkup } from './write-markup.ts';
import type { MarkupElement } from './markup-tree.ts';

/** How many characters (UTF-16) a piece has at the least. */
const pieceLength = 65_536;

/** A feed that is written, its items before its head is known. */
export class FeedText {
  readonly #encoder = new TextEncoder();
  readonly #pieces: Uint8Array[] = [];
  #text = '';

  /** Adds an item. */
  add(item: MarkupElement): void {
    this.#text += writeMarkup(item);
    if (this.#text.length >= pieceLength) this.#flush();
  }

  get isEmpty(): boolean {
    return this.#text === '' && this.#pieces.length === 0;
  }

  /**
   * Returns the whole in UTF-8.
   * @param feed without these items, which are put before the end of the innermost of its last elements
   */
  end(feed: MarkupElement, depth: number): readonly Uint8Array[] {
    const whole = writeMarkup(feed);
    let end = whole.length;
    for (let tags = 0; tags < depth; tags += 1) end = whole.lastIndexOf('</', end - 1);
    this.#flush();
    return [
      this.#encoder.encode(whole.slice(0, end)),
      ...this.#pieces,
      this.#encoder.encode(whole.slice(end)),
    ];
  }

  #flush(): void {
    this.#pieces.push(this.#encoder.encode(this.#text));
    this.#text = '';
  }
}
