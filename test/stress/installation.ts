import type { ChangeEvent, ChangesView } from '#contracts';
import { freePort, readLimits } from '#databases';
import type { ProcessRegister } from '#databases';
import { checkResponses } from '../support/checked-responses.ts';
import { startInstance } from '../../apps/standalone/src/instance.ts';
import type { Instance } from '../../apps/standalone/src/instance.ts';
import type { Service } from '../../apps/standalone/src/service.ts';
import { builtServices } from '../support/built-services.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { request } from '../support/request.ts';
import { loopbackFeeds } from '../support/loopback-feeds.ts';

/** An item as the HTTP interface shows it, as far as the story looks at it. */
export interface ShownItem {
  readonly id: string;
  readonly content?: string;
  readonly deleted: boolean;
  readonly revision: number;
  readonly sync: { readonly updates: number };
  readonly conflicts: readonly object[];
}

export interface Databases {
  readonly redisUrl: string;
  readonly mongodbUri: string;
}

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** What is lost is found soon, and nobody waits for a database for longer than the story's faults last. */
const impatient = {
  FETCH_LEASE_MS: '5000',
  FETCH_STALLED_MS: '5000',
  FETCH_RECONCILE_MS: '1000',
  PUBLISH_RECONCILE_MS: '1000',
  PUBLISH_RELAY_MS: '1000',
  JOB_LOCK_MS: '5000',
  JOB_STALLED_CHECK_MS: '1000',
  MONGODB_SELECTION_SECONDS: '5',
  GATEWAY_MONGODB_SECONDS: '8',
  FETCH_HEADERS_SECONDS: '10',
  WEBSUB_RETRY_SECONDS: '1',
  WEBSUB_SHORTEST_LEASE_SECONDS: '2',
} as const;

/** Four services, and the proxy that others read its feeds through. */
export class Installation {
  private constructor(
    readonly name: string,
    readonly instance: Instance,
    readonly proxy: CuttingProxy,
  ) {}

  static async start(
    name: string,
    { redisUrl, mongodbUri }: Databases,
    register: ProcessRegister,
    services: readonly Service[] = builtServices,
  ): Promise<Installation> {
    const port = await freePort();
    const environment = {
      ...process.env,
      ...impatient,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      WEBSUB: 'on',
      REDIS_URL: redisUrl,
      MONGODB_URI: mongodbUri,
      ...loopbackFeeds,
      LOG_LEVEL: 'silent',
    };
    const proxy = await CuttingProxy.open(port);
    const instance = await startInstance({
      name,
      environment,
      register,
      limits: readLimits(process.env),
      log: () => undefined,
      signal: new AbortController().signal,
      services,
    });
    checkResponses(instance.url);
    return new Installation(name, instance, proxy);
  }

  /** Where others read a feed of a collection. */
  feedUrl(collection: string): string {
    return `http://127.0.0.1:${this.proxy.port}/feeds/${collection}.atom`;
  }

  /** Sends a request; undefined if no response came. */
  async send<Body>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body> | undefined> {
    try {
      const response = await request(`${this.instance.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
        signal: AbortSignal.timeout(60_000),
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as Body };
    } catch {
      return undefined;
    }
  }

  /** As `send`, for what must succeed. */
  async must<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await this.send<Body>(method, path, body);
    if (answer === undefined || answer.status >= 300)
      throw new Error(`${this.name}: ${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  /** Creates a collection that reads these feeds every so many seconds. */
  async follow(collection: string, feeds: Readonly<Record<string, string>>, seconds = 1): Promise<void> {
    await this.must('PUT', `/v1/collections/${collection}`, {});
    for (const [subscription, url] of Object.entries(feeds)) {
      await this.must('PUT', `/v1/collections/${collection}/subscriptions/${subscription}`, {
        url,
        interval: { minimum: seconds, maximum: seconds },
      });
    }
  }

  async items(collection: string): Promise<ShownItem[]> {
    const items: ShownItem[] = [];
    let cursor = '';
    do {
      const page = await this.must<{ items: ShownItem[]; next?: string }>(
        'GET',
        `/v1/collections/${collection}/items?limit=1000${cursor}`,
      );
      items.push(...page.items);
      cursor = page.next === undefined ? '' : `&cursor=${encodeURIComponent(page.next)}`;
    } while (cursor !== '');
    return items;
  }

  /** All versions of the items of a collection, in one order; empty while they can't be read. */
  async state(collection: string): Promise<string> {
    const items = await this.items(collection).catch(() => []);
    return items
      .map(({ id, content, sync, conflicts }) => JSON.stringify([id, content, sync, conflicts]))
      .toSorted()
      .join('\n');
  }

  /** All changes of a collection. */
  async changes(collection: string): Promise<ChangeEvent[]> {
    const read: ChangeEvent[] = [];
    for (let since = '0'; ;) {
      const path = `/v1/collections/${collection}/changes?limit=1000&since=${since}`;
      const { changes, next } = await this.must<ChangesView>('GET', path);
      if (changes.length === 0) return read;
      read.push(...changes);
      since = next;
    }
  }

  /** Whether every service of it is ready. */
  async isReady(): Promise<boolean> {
    const answer = await this.send('GET', '/health/ready');
    return answer?.status === 200;
  }

  async end(): Promise<void> {
    await this.instance.stop();
    await this.proxy.close();
  }
}
