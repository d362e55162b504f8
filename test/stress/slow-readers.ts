import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { RawRequest } from '../support/raw-request.ts';

/**
 * Milliseconds until a reader comes back: it does not notice that it was disconnected, since it reads
 * nothing.
 */
const timeout = 40_000;

/** Clients that ask a gateway for something large and read no more than the beginning. */
export class SlowReaders {
  /** How many responses have begun. */
  served = 0;

  /** Keeps so many clients connected that request these paths in turn, until the signal says so. */
  async read(url: string, paths: readonly string[], count: number, signal: AbortSignal): Promise<void> {
    // Each reader waits for it.
    setMaxListeners(0, signal);
    await Promise.all(
      Array.from({ length: count }, (_, number) =>
        this.#stayConnected(url, paths[number % paths.length] ?? '/', signal),
      ),
    );
  }

  async #stayConnected(url: string, path: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const reader = await RawRequest.open(url).catch(() => undefined);
      reader?.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await reader?.begun;
      if (reader?.received.startsWith('HTTP/1.1 200')) this.served += 1;
      reader?.stall();
      await wait(reader ? timeout : 500, undefined, { signal }).catch(() => {});
      reader?.close();
    }
  }
}
