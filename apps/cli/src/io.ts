import type { Writable } from 'node:stream';

/** What a command meets of the world around its process. */
export interface Io {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The IANA name of the person's time zone; that of the process if it is absent. */
  readonly timeZone?: string;
  /** Fires when the person asks to stop (Ctrl-C). Until it is called, Ctrl-C ends the process at once. */
  readonly interruption: () => AbortSignal;
}
