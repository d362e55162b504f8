import { request, Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { FollowedEvents } from './followed-events.ts';
import { eventually } from './installation.ts';
import type { Installation } from './installation.ts';

/** The collection that is edited, and the one that mirrors it by a subscription to its feed. */
const edited = 'edited';
const mirror = 'mirror';

/** Items that are edited again and again. */
const itemCount = 40;

/** Milliseconds between two requests of one client. */
const pause = 40;

/** What the services do while they are replaced: edits, feed readers, event streams, a subscribed mirror. */
export class Load {
  readonly #url: string;
  /** Leads the identifiers of this load's items. */
  readonly #name = `load-${Date.now()}`;
  readonly #acknowledged = new Map<string, string>();
  readonly #ended = new AbortController();
  readonly #clients: Promise<void>[] = [];
  readonly #streams: FollowedEvents[] = [];
  #requests = 0;
  readonly failures: string[] = [];

  private constructor(url: string) {
    this.#url = url;
  }

  /** Makes the collections, if they are missing, and starts all clients. */
  static async start({ url }: Installation): Promise<Load> {
    const load = new Load(url);
    for (const name of [edited, mirror]) await load.#must('PUT', `/v1/collections/${name}`, { title: name });
    for (let item = 0; item < itemCount; item += 1)
      await load.#must('POST', `/v1/collections/${edited}/items`, {
        id: `${load.#name}-${item}`,
        title: '0',
      });
    const feed = `${load.#url}/feeds/${edited}.atom`;
    const subscription = { url: feed, interval: { minimum: 1, maximum: 2 } };
    await load.#must('PUT', `/v1/collections/${mirror}/subscriptions/edited`, subscription);
    const kept = new Agent({ keepAlive: true });
    const fresh = new Agent({ keepAlive: false });
    for (const agent of [kept, fresh]) {
      load.#clients.push(load.#edit(agent, agent === kept ? 0 : 1));
      load.#clients.push(load.#read(agent, `/feeds/${edited}.atom`));
      load.#clients.push(load.#read(agent, `/feeds/${mirror}/reader.atom`));
    }
    // Most connections are new ones, which a pod that is about to end may get from a proxy.
    for (let client = 0; client < 6; client += 1) load.#clients.push(load.#read(fresh, '/'));
    for (let stream = 0; stream < 3; stream += 1)
      load.#streams.push(
        FollowedEvents.follow(`${load.#url}/v1/collections/${edited}/changes`, load.failures),
      );
    return load;
  }

  /**
   * Ends the clients and waits until every acknowledged edit is in the collection, in its mirror and in each
   * event stream. Returns how many requests were made. Throws if something is lost.
   */
  async end(): Promise<number> {
    this.#ended.abort();
    await Promise.all(this.#clients);
    if (this.#acknowledged.size === 0) throw new Error(`no edit was acknowledged: ${this.failures[0]}`);
    await this.#arrives(edited);
    await this.#arrives(mirror);
    for (const stream of this.#streams) {
      await eventually('the last event in a stream', () => this.#isLast(stream.last));
      stream.end();
      if (stream.disorder.length > 0) throw new Error(`events out of order: ${stream.disorder.join(', ')}`);
      const missing = [...this.#acknowledged.keys()].filter((id) => !stream.subjects.has(id));
      if (missing.length > 0) throw new Error(`a stream has no event of ${missing.join(', ')}`);
    }
    await this.#must('DELETE', `/v1/collections/${mirror}/subscriptions/edited`);
    return this.#requests;
  }

  /** Edits this client's half of the items, one after the other. */
  async #edit(agent: Agent, half: number): Promise<void> {
    for (let edit = 0; !this.#ended.signal.aborted; edit += 1) {
      const id = `${this.#name}-${(edit % (itemCount / 2)) * 2 + half}`;
      const title = `edit ${edit} of ${Date.now()}`;
      const path = `/v1/collections/${edited}/items/${id}`;
      if (await this.#ask(agent, 'PUT', path, { title })) this.#acknowledged.set(id, title);
      await delay(pause);
    }
  }

  async #read(agent: Agent, path: string): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#ask(agent, 'GET', path);
      await delay(pause);
    }
  }

  /** Whether the response was good; a request without one is a failure, whatever the reason. */
  async #ask(agent: Agent, method: string, path: string, body?: object): Promise<boolean> {
    this.#requests += 1;
    const problem = await send(new URL(path, this.#url), agent, method, body);
    if (problem === undefined) return true;
    this.failures.push(`${new Date().toISOString()} ${method} ${path}: ${problem}`);
    return false;
  }

  async #must(method: string, path: string, body?: object): Promise<void> {
    const problem = await send(new URL(path, this.#url), new Agent(), method, body);
    if (problem !== undefined) throw new Error(`${method} ${path}: ${problem}`);
  }

  async #arrives(collection: string): Promise<void> {
    await eventually(`every acknowledged edit in ${collection}`, async () => {
      const found = await fetch(`${this.#url}/v1/collections/${collection}/items?limit=1000`);
      const { items } = (await found.json()) as { readonly items: readonly { id: string; title: string }[] };
      const titles = new Map(items.map(({ id, title }) => [id, title]));
      return [...this.#acknowledged].every(([id, title]) => isSameOrLater(titles.get(id), title));
    });
  }

  /** Whether no change is later than the one with this sequence. */
  async #isLast(sequence: string): Promise<boolean> {
    const found = await fetch(`${this.#url}/v1/collections/${edited}/changes?since=${sequence}`);
    const { changes } = (await found.json()) as { readonly changes?: readonly unknown[] };
    return changes?.length === 0;
  }
}

/** An edit whose response was lost may have been made: it is later than the one that was acknowledged. */
function isSameOrLater(found: string | undefined, title: string): boolean {
  return Number(found?.split(' of ')[1]) >= Number(title.split(' of ')[1]);
}

/** Sends a request and returns what was wrong with the response, if anything was. */
function send(url: URL, agent: Agent, method: string, body?: object): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const asked = request(url, { agent, method, headers, timeout: 30_000 }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.once('error', (error) => resolve(String(error)));
      response.once('end', () => {
        const { statusCode = 0 } = response;
        const isGood = statusCode >= 200 && statusCode < 300;
        resolve(isGood ? undefined : `${statusCode} ${Buffer.concat(pieces).toString().slice(0, 200)}`);
      });
    });
    asked.once('timeout', () => asked.destroy(new Error('no response in 30 s')));
    asked.once('error', (error) => resolve(String(error)));
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
