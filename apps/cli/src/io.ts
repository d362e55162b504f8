import type { Writable } from 'node:stream';

/** What a command meets of the world around its process. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Fires when the person asks to stop (Ctrl-C). Until it is called, Ctrl-C ends the process at once. */
  readonly interruption: () => AbortSignal;
}
