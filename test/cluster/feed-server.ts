import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { nodeAddress } from '../../tools/cluster/index.ts';

const port = 8088;
const date = '2026-01-01T00:00:00Z';

/** Feeds of FeedSync that another endpoint publishes, at an address that pods reach. */
export class FeedServer {
  readonly url = `http://${nodeAddress}:${port}/news.atom`;
  #titles: readonly string[] = [];

  /** Starts to listen, until the process ends. */
  static async start(): Promise<FeedServer> {
    const feeds = new FeedServer();
    const server = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/atom+xml');
      const big = /^\/big\/([\w-]+)\/(\d+)$/.exec(request.url ?? '');
      if (big === null) response.end(document('news', feeds.#titles));
      else void sendBig(response, big[1] ?? '', Number(big[2]));
    });
    await new Promise<void>((done) => server.listen(port, nodeAddress, done));
    return feeds;
  }

  /** Adds items with these titles to the feed. */
  publish(...titles: readonly string[]): void {
    this.#titles = [...this.#titles, ...titles];
  }
}

/** The address of a feed with so many items, which are not kept. */
export function bigFeedUrl(name: string, items: number): string {
  return `http://${nodeAddress}:${port}/big/${name}/${items}`;
}

async function sendBig(response: ServerResponse, name: string, items: number): Promise<void> {
  const [head = '', end = ''] = document(name, []).split('</feed>');
  response.write(head);
  for (let index = 0; index < items; index += 1)
    if (!response.write(entry(name, index, `item ${index}`))) await once(response, 'drain');
  response.end(`</feed>${end}`);
}

function document(name: string, titles: readonly string[]): string {
  const names = 'xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync"';
  const author = '<author><name>N</name></author>';
  const head = `<id>urn:${name}</id><title>${name}</title><updated>${date}</updated>${author}`;
  return `<feed ${names}>${head}${titles.map((title, index) => entry(name, index, title)).join('')}</feed>`;
}

/** An item whose FeedSync identifier is the feed's name and its number. */
function entry(name: string, index: number, title: string): string {
  return (
    `<entry><id>urn:${name}:${index}</id><title>${title}</title><updated>${date}</updated>` +
    `<content>${title}</content><sx:sync id="${name}.${index}" updates="1">` +
    `<sx:history sequence="1" when="${date}" by="peer.example:${name}"/></sx:sync></entry>`
  );
}
