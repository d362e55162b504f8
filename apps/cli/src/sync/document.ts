import type { CachedDocument, Failure } from '#cse';

/** What a folder holds of one document of a tree. */
export interface MirrorDocument extends CachedDocument {
  readonly url: string;
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  /** Of the file, in bytes. */
  readonly length: number;
  /** SHA-256 of the file, in hexadecimal. */
  readonly digest: string;
  /** The media type with its parameters, as the server sent it. */
  readonly type?: string;
  /** The validators of a conditional GET, as the server sent them. */
  readonly etag?: string;
  readonly lastModified?: string;
  /** Of a feed that was too large to read (limit `links`). */
  readonly isUnread?: boolean;
  /** Links of the feed that can't be followed; listed at the end of every run. */
  readonly errors?: readonly Failure[];
}
