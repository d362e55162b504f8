/** An item as another program reads it; an empty value is none. */
export interface ReadItem {
  readonly title: string;
  /** A media type, or a type of Atom; absent if the program does not know it. */
  readonly titleType?: string;
  readonly link: string;
  readonly published: string;
  /** Their names. */
  readonly authors: readonly string[];
  readonly content: string;
  readonly contentType?: string;
  /** Their addresses. */
  readonly enclosures: readonly string[];
}

/** What a program reads in each document: its items, or why it fails. */
export type Readings = Readonly<Record<string, readonly ReadItem[] | string>>;
