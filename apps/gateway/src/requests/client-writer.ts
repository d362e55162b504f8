import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { leavePlace } from '../quota/admit-requests.ts';

/**
 * A client that will not read the rest of its response: it has closed the connection, or read nothing for too
 * long.
 */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
  constructor(
    readonly reason: 'closed' | 'stalled',
    message: string,
  ) {
    super(message);
  }
}

/** How many bytes are written at once, so that a client that reads slowly is seen to read. */
export const pieceBytes = 65_536;

/** Writes the body of one response, no faster than its client reads. */
export class ClientWriter {
  readonly #response: ServerResponse;
  readonly #stallSeconds: number;
  /** Bytes since others had their turn. */
  #written = 0;

  /** @param stallSeconds how long the client may take for a piece of 64 KiB */
  constructor(response: ServerResponse, stallSeconds: number) {
    this.#response = response;
    this.#stallSeconds = stallSeconds;
  }

  /**
   * Writes bytes and returns once the client can be sent more. Throws `ClientGoneError` if it has gone; one
   * that has stalled is disconnected.
   */
  async write(bytes: Uint8Array): Promise<void> {
    for (let start = 0; start < bytes.length; start += pieceBytes) {
      const piece = bytes.subarray(start, start + pieceBytes);
      if (this.#written + piece.length > pieceBytes) {
        // Megabytes may go into the buffers of the operating system without any wait.
        await nextTurn();
        this.#written = 0;
      }
      if (this.#response.destroyed) throw new ClientGoneError('closed', 'the client closed the connection');
      this.#written += piece.length;
      if (!this.#response.write(piece)) await this.#drained();
    }
  }

  /** Returns once the client can be sent more. Throws as `write` does. */
  async drained(): Promise<void> {
    if (this.#response.writableNeedDrain) await this.#drained();
  }

  #drained(): Promise<void> {
    const response = this.#response;
    leavePlace(response);
    return new Promise((resolve, reject) => {
      const end = (error?: ClientGoneError): void => {
        clearTimeout(timer);
        response.off('drain', drain).off('close', close);
        if (error === undefined) return resolve();
        response.destroy();
        reject(error);
      };
      const drain = (): void => end();
      const close = (): void => end(new ClientGoneError('closed', 'the client closed the connection'));
      const stall = (): void =>
        end(
          new ClientGoneError(
            'stalled',
            `the client read no ${pieceBytes} bytes within ${this.#stallSeconds} s (setting ` +
              'GATEWAY_STALL_SECONDS)',
          ),
        );
      const timer = setTimeout(stall, this.#stallSeconds * 1000);
      response.on('drain', drain).on('close', close);
    });
  }
}
