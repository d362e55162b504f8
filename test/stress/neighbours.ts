import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { entry, entryWithSync, feed, historyElement } from '../medium/pipeline/feed.ts';
import { openFeedServer } from '../medium/pipeline/feed-server.ts';
import type { FeedServer } from '../medium/pipeline/feed-server.ts';
import { TestHub } from '../medium/pipeline/test-hub.ts';

/** Seconds of the leases that the hub grants. */
const hubLease = 10;

/** The installations, each of which has a feed of its own that the hub announces. */
const readers = ['left', 'right'] as const;

/** What the hub calls the feed of a reader. */
function topicOf(reader: string): string {
  return `https://feeds.example/announced/${reader}`;
}

/** A server of sockets, which ends them when it closes. */
interface SocketServer {
  readonly url: string;
  close(): Promise<void>;
}

async function openSocketServer(serve: (socket: Socket) => void): Promise<SocketServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Sends the header of a response at once, and then a byte a second. */
function drip(socket: Socket): void {
  socket.once('data', () => {
    socket.write(
      'HTTP/1.1 200 OK\r\nContent-Type: application/atom+xml\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const timer = setInterval(() => socket.write('1\r\n \r\n'), 1000);
    socket.once('close', () => clearInterval(timer));
  });
}

/**
 * The other publishers: one whose feed is fine, one whose feed contains an item that can't be stored, a host
 * that never responds, one that sends a byte a second, and one whose hub dies.
 */
export class Neighbours {
  private constructor(
    readonly feeds: FeedServer,
    private readonly hub: TestHub,
    /** The address of the hub, also when it is dead. */
    private readonly hubUrl: string,
    private readonly silent: SocketServer,
    private readonly dripping: SocketServer,
  ) {}

  static async open(): Promise<Neighbours> {
    const hub = await TestHub.open();
    hub.behave({ lease: hubLease });
    const neighbours = new Neighbours(
      await openFeedServer(),
      hub,
      hub.url(),
      await openSocketServer(() => {}),
      await openSocketServer(drip),
    );
    neighbours.tick(1);
    neighbours.feeds.serve(
      '/poisoned',
      feed([entry('before', ['1 there']), poison, entry('after', ['1 there'])]),
    );
    return neighbours;
  }

  get silentUrl(): string {
    return this.silent.url;
  }

  get drippingUrl(): string {
    return this.dripping.url;
  }

  /** Publishes the next version of the one item of `/healthy`, and of `/announced/NAME` for each reader. */
  tick(updates: number): void {
    const sync =
      `<sx:sync id="tick" updates="${updates}"><sx:history sequence="${updates}" ` +
      'when="2026-01-01T00:00:00Z" by="there"/></sx:sync>';
    const body = feed([entryWithSync('tick', sync)]);
    const headers = { etag: `"${updates}"` };
    this.feeds.serve('/healthy', { headers, body });
    for (const reader of readers) {
      const links = `<link rel="hub" href="${this.hubUrl}"/><link rel="self" href="${topicOf(reader)}"/>`;
      const announced = body.replace('</title>', `</title>${links}`);
      this.feeds.serve(`/announced/${reader}`, { headers, body: announced });
    }
  }

  /** Lets the hub announce a change to every reader, so that they rely on it, and die. */
  async loseHub(): Promise<void> {
    for (const reader of readers) await this.hub.distribute(topicOf(reader), '<feed/>');
    await this.hub.close();
  }

  /** Publishes a number of items with `characters` of text each at `/NAME`. */
  publishItems(name: string, items: number, characters: number): void {
    const text = 'x'.repeat(characters);
    const entries = Array.from({ length: items }, (_, number) =>
      entry(`${name}-${number}`, ['1 there'], '', `${number} ${text}`),
    );
    this.feeds.serve(`/${name}`, { headers: { etag: `"${name}"` }, body: feed(entries) });
  }

  async close(): Promise<void> {
    await Promise.all([this.feeds.close(), this.silent.close(), this.dripping.close()]);
  }
}

/** An entry within every limit of a feed that makes a document too large for MongoDB. */
const poison = entryWithSync(
  'poison',
  `${'<category term=""/>'.repeat(195_000)}<sx:sync id="poison" updates="1">${historyElement('1 there')}` +
    '</sx:sync>',
);
