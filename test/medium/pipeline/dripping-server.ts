import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** What a server sends at once, and what of it byte by byte, without end. */
export interface Drip {
  readonly begins: string | Uint8Array;
  readonly drips: string | Uint8Array;
}

/** A server at several addresses of 127.0.0.0/8 that sends what it has a byte at a time. */
export class DrippingServer {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #dripping = new Set<Socket>();
  #isClosed = false;
  readonly #drips = new Map<string, Drip>();

  /** @param addresses such as `127.50.9.1` */
  static async open(addresses: readonly string[]): Promise<DrippingServer> {
    const opened = new DrippingServer();
    for (const address of addresses) {
      const server = createServer((socket) => opened.#take(socket));
      opened.#servers.push(server.listen(0, address));
      await once(server, 'listening');
    }
    return opened;
  }

  /** The URL of a path at one of the addresses. */
  url(place: number, path: string): string {
    const server = this.#servers[place % this.#servers.length] as Server;
    const { address, port } = server.address() as AddressInfo;
    return `http://${address}:${port}${path}`;
  }

  /** Sets what a path returns; everything else is 404. */
  serve(path: string, drip: Drip): void {
    this.#drips.set(path, drip);
  }

  /** How many connections wait for the next byte. */
  get connected(): number {
    return this.#dripping.size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = this.#servers.map((server) => once(server.close(), 'close'));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }

  #take(socket: Socket): void {
    if (this.#isClosed) return void socket.destroy();
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (request) => {
      const path = /^\S+ (\S+) /.exec(request.toString('latin1'))?.[1] ?? '';
      const drip = this.#drips.get(path);
      if (drip === undefined) {
        if (path !== '')
          socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
        return;
      }
      socket.write(drip.begins);
      let place = 0;
      this.#dripping.add(socket);
      const timer = setInterval(() => {
        socket.write(Buffer.from(drip.drips).subarray(place, place + 1));
        place += 1;
      }, 1000);
      socket.on('close', () => {
        clearInterval(timer);
        this.#dripping.delete(socket);
      });
    });
  }
}
