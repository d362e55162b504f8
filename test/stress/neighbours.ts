import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { entry, entryWithSync, feed, historyElement } from '../medium/pipeline/feed.ts';
import { openFeedServer } from '../medium/pipeline/feed-server.ts';
import type { FeedServer } from '../medium/pipeline/feed-server.ts';

/**
 * The other publishers: one whose feed is fine, one whose feed holds an item that can't be stored, and a host
 * that never responds.
 */
export class Neighbours {
  private constructor(
    readonly feeds: FeedServer,
    readonly silentUrl: string,
    private readonly closeSilent: () => Promise<void>,
  ) {}

  static async open(): Promise<Neighbours> {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const closeSilent = (): Promise<void> =>
      new Promise((resolve) => {
        silent.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    const neighbours = new Neighbours(
      await openFeedServer(),
      `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      closeSilent,
    );
    neighbours.tick(1);
    neighbours.feeds.serve(
      '/poisoned',
      feed([entry('before', ['1 there']), poison, entry('after', ['1 there'])]),
    );
    return neighbours;
  }

  /** Publishes the next version of the one item of the feed `/healthy`. */
  tick(updates: number): void {
    const sync =
      `<sx:sync id="tick" updates="${updates}"><sx:history sequence="${updates}" ` +
      'when="2026-01-01T00:00:00Z" by="there"/></sx:sync>';
    this.feeds.serve('/healthy', {
      headers: { etag: `"${updates}"` },
      body: feed([entryWithSync('tick', sync)]),
    });
  }

  /** Publishes so many items of 20 kB at `/large`. */
  publishLarge(items: number): void {
    const text = 'x'.repeat(20_000);
    const entries = Array.from({ length: items }, (_, number) =>
      entry(`large-${number}`, ['1 there'], '', `${number} ${text}`),
    );
    this.feeds.serve('/large', { headers: { etag: '"large"' }, body: feed(entries) });
  }

  async close(): Promise<void> {
    await this.feeds.close();
    await this.closeSilent();
  }
}

/** An entry within every limit of a feed that makes a document too large for MongoDB. */
const poison = entryWithSync(
  'poison',
  `${'<category term=""/>'.repeat(195_000)}<sx:sync id="poison" updates="1">${historyElement('1 there')}` +
    '</sx:sync>',
);
