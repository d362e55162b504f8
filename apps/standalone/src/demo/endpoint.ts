import { pathSegment } from '#contracts';

/** An item as the demo compares it: everything that two endpoints must agree on. */
export interface SharedItem {
  readonly id: string;
  readonly title?: string;
  readonly content?: string;
  readonly deleted: boolean;
  readonly sync: {
    readonly updates: number;
    readonly history: readonly { readonly sequence: number; readonly when?: string; readonly by?: string }[];
  };
  /** Absent in a conflict, which has none of its own. */
  readonly conflicts?: readonly SharedItem[];
}

/**
 * How long a step of the story may take, in milliseconds; only a hang takes that long, on a loaded machine
 * too.
 */
const timeout = 300_000;

/** One endpoint of the demo, reached over HTTP as any team would reach it. */
export class DemoEndpoint {
  constructor(
    readonly name: string,
    readonly url: string,
    readonly collection: string,
  ) {}

  get feed(): string {
    return `${this.url}/feeds/${this.collection}.atom`;
  }

  async createCollection(endpoint: string): Promise<void> {
    await this.#send('PUT', '', { title: `To Do List of ${this.name}`, format: 'atom', endpoint });
  }

  async subscribe(other: DemoEndpoint): Promise<void> {
    await this.#send('PUT', `/subscriptions/${other.name.toLowerCase()}`, {
      url: other.feed,
      interval: { minimum: 1, maximum: 5 },
    });
  }

  async pause(other: DemoEndpoint): Promise<void> {
    await this.#send('POST', `/subscriptions/${other.name.toLowerCase()}/pause`);
  }

  async resume(other: DemoEndpoint): Promise<void> {
    await this.#send('POST', `/subscriptions/${other.name.toLowerCase()}/resume`);
  }

  async create(item: { id: string; title: string; content: string }): Promise<void> {
    await this.#send('POST', '/items', item);
  }

  async update(id: string, fields: { title: string; content: string }): Promise<void> {
    await this.#send('PUT', `/items/${pathSegment(id)}`, fields);
  }

  async resolve(id: string, keep: 'winner' | { conflict: number }): Promise<void> {
    await this.#send('POST', `/items/${pathSegment(id)}/resolve`, { keep });
  }

  /** Every item, tombstones too, in order of id, conflicts in canonical order. */
  async items(): Promise<SharedItem[]> {
    const { items } = (await this.#send('GET', '/items?limit=100')) as { items: SharedItem[] };
    return items.map(shared);
  }

  /** Waits until the item is as `holds` says, and returns it. */
  async awaitItem(id: string, what: string, holds: (item: SharedItem) => boolean): Promise<SharedItem> {
    const deadline = Date.now() + timeout;
    for (;;) {
      const item = (await this.items()).find((candidate) => candidate.id === id);
      if (item !== undefined && holds(item)) return item;
      if (Date.now() > deadline)
        throw new Error(
          `${this.name}: ${what} did not happen within ${timeout / 1000} s; the item is ` +
            JSON.stringify(item),
        );
      await new Promise((next) => setTimeout(next, 200));
    }
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const deadline = Date.now() + timeout;
    for (;;) {
      try {
        return await this.#sendOnce(method, path, body);
      } catch (error) {
        if (!isRefused(error) || Date.now() > deadline) throw error;
        await new Promise((next) => setTimeout(next, 200));
      }
    }
  }

  async #sendOnce(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.url}/v1/collections/${this.collection}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.name}: ${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

/** A gateway that was just killed refuses connections until it is back. */
function isRefused(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed';
}

function shared({ id, title, content, deleted, sync, conflicts }: SharedItem): SharedItem {
  return {
    id,
    ...(title !== undefined && { title }),
    ...(content !== undefined && { content }),
    deleted,
    sync: { updates: sync.updates, history: sync.history },
    ...(conflicts && { conflicts: conflicts.map(shared) }),
  };
}
