import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** A connection over which requests are written by hand, and what has come back. */
export class RawRequest {
  readonly #socket: Socket;
  /** All that the server has sent. */
  received = '';
  /** Resolves once the server has sent something, or has closed the connection. */
  readonly begun: Promise<unknown>;
  /** Resolves once the server has closed the connection. */
  readonly closed: Promise<unknown>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('data', (piece) => {
      this.received += piece.toString();
    });
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    this.begun = Promise.race([this.closed, new Promise((resolve) => socket.once('data', resolve))]);
  }

  /** Connects to the server of an http or https URL; a certificate is not checked. */
  static async open(url: string): Promise<RawRequest> {
    const { protocol, port } = new URL(url);
    const [address, isSecured] = [{ port: Number(port), host: '127.0.0.1' }, protocol === 'https:'];
    const socket = isSecured ? connectSecurely({ ...address, rejectUnauthorized: false }) : connect(address);
    await once(socket, isSecured ? 'secureConnect' : 'connect');
    return new RawRequest(socket);
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  /** Sends the header of a request with a JSON body of so many bytes, and none of the body. */
  begin(method: string, path: string, length: number): void {
    const headers = ['Host: 127.0.0.1', 'Content-Type: application/json', `Content-Length: ${length}`];
    this.send(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  }

  /** Reads nothing from now on. */
  stall(): void {
    this.#socket.pause();
  }

  /** Reads again. */
  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }
}
