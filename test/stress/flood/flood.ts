import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { PacedLoad, PacedResult } from './paced-load.ts';

type FloodResult = Omit<PacedResult, 'latencies'>;

/**
 * Sends requests at a pace over so many connections to each server, as `sendPaced` does, and takes as little
 * of the processor as it can: it writes the same bytes again and again, and reads of a response its status
 * and where it ends. While all connections of a server wait for responses, what is due for it waits too.
 */
export async function sendFlood({
  urls,
  headers,
  count,
  perSecond,
  connections,
}: PacedLoad): Promise<FloodResult> {
  const statuses: Record<string, number> = {};
  let received = 0;
  let note = (): void => {};
  const receivedAll = new Promise<void>((resolve) => (note = resolve));
  const servers = urls.map(
    (url) =>
      new FloodedServer(url, headers, connections, (status) => {
        statuses[status] = (statuses[status] ?? 0) + 1;
        received += 1;
        if (received === count) note();
      }),
  );
  const begin = performance.now();
  for (let sent = 0; sent < count;) {
    const due = Math.min(count, Math.floor(((performance.now() - begin) / 1000) * perSecond) + 1);
    for (; sent < due; sent += 1) servers[sent % servers.length]?.send();
    await wait(2);
  }
  await receivedAll;
  const seconds = (performance.now() - begin) / 1000;
  for (const server of servers) server.close();
  return { statuses, seconds };
}

/** The connections to one server. */
class FloodedServer {
  readonly #url: URL;
  readonly #request: Buffer;
  readonly #most: number;
  readonly #onResponse: (status: string) => void;
  readonly #sockets = new Set<Socket>();
  readonly #idle: Socket[] = [];
  #waiting = 0;

  constructor(
    url: string,
    headers: Readonly<Record<string, string>>,
    most: number,
    onResponse: (status: string) => void,
  ) {
    this.#url = new URL(url);
    const lines = Object.entries({ host: this.#url.host, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    this.#request = Buffer.from(`GET ${this.#url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    this.#most = most;
    this.#onResponse = onResponse;
  }

  send(): void {
    const socket = this.#idle.pop() ?? (this.#sockets.size < this.#most ? this.#open() : undefined);
    if (socket === undefined) this.#waiting += 1;
    else socket.write(this.#request);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(): Socket {
    const socket = connect({ port: Number(this.#url.port), host: this.#url.hostname, noDelay: true });
    this.#sockets.add(socket);
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (piece: string) => {
      text += piece;
      const status = statusOfWhole(text);
      if (status === undefined) return;
      text = '';
      this.#onResponse(status);
      if (this.#waiting === 0) {
        this.#idle.push(socket);
        return;
      }
      this.#waiting -= 1;
      socket.write(this.#request);
    });
    // A connection that breaks off in the middle leaves the flood waiting, which fails the test.
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#sockets.delete(socket);
      const place = this.#idle.indexOf(socket);
      if (place !== -1) this.#idle.splice(place, 1);
    });
    return socket;
  }
}

/** The status of a response if all of it is there. */
function statusOfWhole(response: string): string | undefined {
  const header = response.indexOf('\r\n\r\n');
  if (header === -1) return undefined;
  const length = /^content-length: (\d+)/im.exec(response.slice(0, header))?.[1];
  if (length === undefined) throw new Error(`a response without its length: ${response}`);
  return response.length >= header + 4 + Number(length) ? response.slice(9, 12) : undefined;
}
