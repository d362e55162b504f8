/** A place in a text, between two pieces. */
export interface Place {
  /** Names the place: the same number whenever the text is read. */
  readonly key: number;
  /** Reads the text from there; absent if it can be read only once. */
  readonly read?: () => AsyncIterable<TextPiece>;
}

/** A piece of a text. */
export interface TextPiece {
  readonly text: string;
  /** The place after it; absent after the last piece. */
  readonly next?: Place;
}
