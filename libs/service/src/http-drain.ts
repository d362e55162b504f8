import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { TLSSocket } from 'node:tls';

/** Knows the connections of an HTTP server, so that it can end within a time. */
export class HttpDrain {
  readonly #server: Server;
  readonly #unused = new Set<Socket>();
  readonly #responses = new Set<ServerResponse>();
  #isKeptAlive = true;
  #isClosing = false;

  /** Watches a server that does not listen yet. */
  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => this.#keep(socket));
    server.on('secureConnection', (socket: TLSSocket) => {
      // The connection under it is kept as long as the handshake takes.
      const isUnder = (other: Socket): boolean =>
        other.remotePort === socket.remotePort && other.remoteAddress === socket.remoteAddress;
      for (const other of this.#unused) if (isUnder(other)) this.#unused.delete(other);
      this.#keep(socket);
    });
    server.prependListener('request', (request, response) => this.#watch(request, response));
  }

  /**
   * From now on every connection ends with the response that is being made, and says so (`Connection:
   * close`).
   */
  endKeepAlive(): void {
    this.#isKeptAlive = false;
    for (const response of this.#responses) closeAfter(response);
  }

  /**
   * Takes no more connections and waits for the requests in progress.
   * @param grace milliseconds after which connections that are left are cut
   * @returns how many requests were cut
   */
  async close(grace: number): Promise<number> {
    this.endKeepAlive();
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // Node counts a connection that nothing has come over as one with a request.
    // With TLS, what has come may be a handshake alone.
    for (const socket of this.#unused)
      if (this.#server instanceof TlsServer || socket.bytesRead === 0) socket.destroy();
    this.#server.closeIdleConnections();
    let cut = 0;
    const timer = setTimeout(() => {
      cut = this.#responses.size;
      this.#server.closeAllConnections();
    }, grace);
    await closed;
    clearTimeout(timer);
    return cut;
  }

  #keep(socket: Socket): void {
    this.#unused.add(socket);
    socket.once('close', () => this.#unused.delete(socket));
  }

  #watch(request: IncomingMessage, response: ServerResponse): void {
    this.#unused.delete(request.socket);
    this.#responses.add(response);
    if (!this.#isKeptAlive) closeAfter(response);
    response.once('close', () => {
      this.#responses.delete(response);
      // One whose header was sent before the end was announced would be kept alive.
      if (this.#isClosing) setImmediate(() => this.#server.closeIdleConnections());
    });
  }
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
