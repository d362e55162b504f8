import type { FetchError } from '#core';
import type { Header } from './header.ts';

/** One request and its response, as long as it holds a connection. */
export interface Exchange {
  readonly url: URL;
  readonly status: number;
  readonly header: Header;
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Lets go of the connection, which is closed where the body was not read to its end; a pending read fails
   * with the reason.
   */
  readonly end: (reason?: FetchError) => void;
  /** Gives back the slot of the host alone: for a response that has ended by itself. */
  readonly release: () => void;
}
