import { LatestEntries } from '#core';
import type { Clock, HttpFetch, Store, Subscription } from '#core';

/** How long a number is used, in milliseconds, and of how many URLs numbers are kept. */
const keptFor = 3_600_000;
const keptUrls = 50_000;

interface CountPorts {
  readonly store: { readonly subscriptions: Pick<Store['subscriptions'], 'countReaders'> };
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * How many active subscriptions of this installation read a URL, as publishers learn it. A number may be an
 * hour old, so that a poll seldom costs a query.
 */
export class SubscriberCounts {
  readonly #ports: CountPorts;
  /** By URL. */
  readonly #known = new LatestEntries<string, { readonly count: number; readonly until: number }>(keptUrls);

  constructor(ports: CountPorts) {
    this.#ports = ports;
  }

  /** Returns undefined if MongoDB does not say. */
  async of(url: string): Promise<number | undefined> {
    const now = this.#ports.clock.now().getTime();
    const known = this.#known.get(url);
    if (known !== undefined && now < known.until) return known.count;
    const count = await this.#ports.store.subscriptions.countReaders(url).catch(() => undefined);
    if (count === undefined) return undefined;
    this.#known.set(url, { count, until: now + keptFor });
    return count;
  }
}

/**
 * Requests of which those for the URL of a subscription say how many subscribers it has. A first fetch, and
 * one with a `User-Agent` of its own, need not know.
 */
export function withSubscribers(
  http: HttpFetch,
  { url, last, userAgent }: Pick<Subscription, 'url' | 'last' | 'userAgent'>,
  counts: SubscriberCounts | undefined,
): HttpFetch {
  if (counts === undefined || last === undefined || userAgent !== undefined) return http;
  return {
    async get(request) {
      const subscribers = request.url === url ? await counts.of(url) : undefined;
      return http.get(subscribers === undefined ? request : { ...request, subscribers });
    },
  };
}
