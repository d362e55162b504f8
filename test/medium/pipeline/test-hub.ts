import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../support/until.ts';
import { keepIdleConnections } from '../../support/keep-idle-connections.ts';

/** What was requested of a hub (WebSub, 5.1). */
export interface HubRequest {
  readonly path: string;
  readonly mode: string;
  readonly topic: string;
  readonly callback: string;
  readonly lease: string | null;
  readonly secret: string | null;
}

/** How the hub deals with requests from now on. */
interface HubManner {
  /** What it responds to a request with; 202 by default. */
  readonly status?: number;
  /** Where it redirects requests to, if the status is one of a redirect. */
  readonly location?: string;
  /** What it does with a request that it has accepted; it verifies by default. `silence` accepts none. */
  readonly deed?: 'verify' | 'deny' | 'nothing' | 'silence';
  /** Seconds of the leases that it grants. */
  readonly lease?: number;
}

/** What a verification came to. */
interface Verified {
  readonly topic: string;
  readonly mode: string;
  readonly status: number;
  /** Whether the challenge came back. */
  readonly isEchoed: boolean;
}

/** A hub on 127.0.0.1, as WebSub describes one. What is at `/elsewhere` redirects to the hub. */
export class TestHub {
  readonly requests: HubRequest[] = [];
  readonly #verified: Verified[] = [];
  readonly #server = createServer((request, response) => {
    // A subscriber that is away is not verified; it asks again.
    this.#take(request, response).catch(() => {});
  });
  readonly #leases = new Map<string, HubRequest>();
  #manner: HubManner = {};

  static async open(): Promise<TestHub> {
    const hub = new TestHub();
    keepIdleConnections(hub.#server);
    await new Promise<void>((resolve) => hub.#server.listen(0, '127.0.0.1', resolve));
    return hub;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  behave(manner: HubManner): void {
    this.#manner = manner;
  }

  /** What was requested of it about a topic. */
  asked(topic: string, mode = 'subscribe'): HubRequest[] {
    return this.requests.filter((request) => request.topic === topic && request.mode === mode);
  }

  /** Whether a verification was confirmed: by 200, with the challenge. */
  hasVerified(wanted: string, mode: string): boolean {
    return this.#verified.some(
      ({ topic, mode: asked, status, isEchoed }) =>
        topic === wanted && asked === mode && status === 200 && isEchoed,
    );
  }

  /** Sends a body to the subscriber of a topic; returns the status of the response. */
  async distribute(topic: string, body: string, key?: string): Promise<number> {
    // What it has verified it may not know yet.
    const { callback, secret } = await until(() => this.#leases.get(topic));
    const signature = createHmac('sha256', key ?? secret ?? '')
      .update(body)
      .digest('hex');
    const headers = { 'content-type': 'application/atom+xml', 'x-hub-signature': `sha256=${signature}` };
    return (await fetch(callback, { method: 'POST', headers, body })).status;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += (piece as Buffer).toString();
    const path = request.url ?? '';
    if (path === '/elsewhere') return void response.writeHead(307, { location: '/' }).end();
    const form = new URLSearchParams(body);
    const taken = {
      path,
      mode: form.get('hub.mode') ?? '',
      topic: form.get('hub.topic') ?? '',
      callback: form.get('hub.callback') ?? '',
      lease: form.get('hub.lease_seconds'),
      secret: form.get('hub.secret'),
    };
    this.requests.push(taken);
    const { status = 202, location, deed = 'verify' } = this.#manner;
    if (deed === 'silence') return;
    response.writeHead(status, location === undefined ? {} : { location }).end();
    if (status === 202 && deed === 'deny') await this.deny(taken);
    if (status === 202 && deed === 'verify') await this.#verify(taken);
  }

  async #verify(taken: HubRequest): Promise<void> {
    const challenge = randomBytes(16).toString('hex');
    const callback = new URL(taken.callback);
    callback.searchParams.set('hub.mode', taken.mode);
    callback.searchParams.set('hub.topic', taken.topic);
    callback.searchParams.set('hub.challenge', challenge);
    if (taken.mode === 'subscribe')
      callback.searchParams.set('hub.lease_seconds', `${this.#manner.lease ?? 3600}`);
    const response = await fetch(callback);
    const isEchoed = (await response.text()) === challenge;
    const { mode, topic } = taken;
    this.#verified.push({ mode, topic, status: response.status, isEchoed });
    if (response.ok && isEchoed && taken.mode === 'subscribe') this.#leases.set(taken.topic, taken);
  }

  /** Says that it announces nothing, or nothing any more, of what was requested. */
  async deny(taken: HubRequest): Promise<void> {
    const callback = new URL(taken.callback);
    callback.searchParams.set('hub.mode', 'denied');
    callback.searchParams.set('hub.topic', taken.topic);
    callback.searchParams.set('hub.reason', 'this feed is too quiet');
    await fetch(callback);
  }
}
