import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { asFailure } from '../cause.ts';

/**
 * Writes text to a stream no faster than it is taken. Every method throws what the stream failed with, such
 * as EPIPE.
 */
export class Output {
  readonly #stream: Writable;
  #failure: Error | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
  }

  async write(text: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (!this.#stream.write(text)) await once(this.#stream, 'drain');
  }

  /** Ends when all that was written has been taken. */
  async flush(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#stream.write('', (error) => {
        if (error) reject(this.#failure ?? error);
        else resolve();
      });
    });
  }
}

/** Whether an error says that the reader of our output has gone, as `feedmesh … | head` does. */
export function isBrokenPipe(error: unknown): boolean {
  const { code } = asFailure(error);
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}
