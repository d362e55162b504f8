import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

/** A feed as the server has it: its bytes in pieces, and the ETag for conditional requests. */
interface ServedFeed {
  readonly pieces: () => Iterable<Buffer>;
  readonly etag: string;
}

/** The server of the feeds that are subscribed to, on one port of one or more loopback addresses. */
export class FeedServer {
  readonly #servers: Server[] = [];
  readonly #feeds = new Map<string, ServedFeed>();
  /** How often each path was requested, with its query. */
  readonly #requests = new Map<string, number>();
  #allRequests = 0;
  #version = 0;
  #port = 0;

  /** @param addresses how many of 127.0.1.1, 127.0.1.2, … it listens on; 127.0.0.1 alone if it is 1 */
  static async start(addresses = 1): Promise<FeedServer> {
    const server = new FeedServer();
    for (let index = 0; index < addresses; index += 1)
      await server.#listen(addresses === 1 ? '127.0.0.1' : hostAt(index));
    return server;
  }

  /** How many addresses it listens on. */
  get hosts(): number {
    return this.#servers.length;
  }

  /** The URL of a feed at the address of that number. */
  url(path: string, address = 0): string {
    const host = this.#servers.length === 1 ? '127.0.0.1' : hostAt(address);
    return `http://${host}:${this.#port}${path}`;
  }

  /** Serves a feed at a path, in place of the one there. */
  set(path: string, texts: Iterable<string>): void {
    const pieces = [...inPieces(texts)];
    this.#serve(path, () => pieces);
  }

  /** The same with a feed that is made with each request, as it is too large to be kept. */
  setLarge(path: string, texts: () => Iterable<string>): void {
    this.#serve(path, () => inPieces(texts()));
  }

  #serve(path: string, pieces: ServedFeed['pieces']): void {
    this.#version += 1;
    this.#feeds.set(path, { pieces, etag: `"${this.#version}"` });
  }

  /** The ETag of the feed at a path. */
  etag(path: string): string {
    return this.#feeds.get(path)?.etag ?? '';
  }

  /** How many requests have come. */
  get allRequests(): number {
    return this.#allRequests;
  }

  /** How often a path was requested, with its query. */
  requests(path: string): number {
    return this.#requests.get(path) ?? 0;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  }

  async #listen(host: string): Promise<void> {
    const server = createServer((request, response) => {
      this.#respond(request, response);
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((listening, failed) => {
      server.once('error', failed).listen(this.#port, host, listening);
    });
    this.#servers.push(server);
    this.#port = (server.address() as AddressInfo).port;
  }

  #respond({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    this.#allRequests += 1;
    this.#requests.set(url, this.requests(url) + 1);
    const [path = ''] = url.split('?');
    const feed = this.#feeds.get(path);
    if (feed === undefined) response.writeHead(404).end();
    else if (headers['if-none-match'] === feed.etag) response.writeHead(304, { etag: feed.etag }).end();
    else {
      response.writeHead(200, { etag: feed.etag, 'content-type': 'application/atom+xml; charset=utf-8' });
      Readable.from(feed.pieces()).pipe(response);
    }
  }
}

/** The loopback address of a number from 0. */
function hostAt(index: number): string {
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

/** The bytes of a feed, in pieces of 64 KB. */
function* inPieces(texts: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const next of texts) {
    text += next;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
