/** The outlines of a document that have begun and not ended, while it is written. */
export class OpenOutlines {
  readonly #open: { readonly depth: number; readonly end: string }[] = [];

  /** Begins an outline; `end` is what ends it. */
  begin(depth: number, end: string): void {
    this.#open.push({ depth, end });
  }

  /** Ends those that are at least this deep; returns their ends, the deepest first. */
  endFrom(depth: number): string {
    let ends = '';
    for (
      let deepest = this.#open.at(-1);
      deepest !== undefined && deepest.depth >= depth;
      deepest = this.#open.at(-1)
    ) {
      ends += deepest.end;
      this.#open.pop();
    }
    return ends;
  }
}
