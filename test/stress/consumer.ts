import { ChangeEventServer, listDeadEvents } from '#client';
import type { ItemEvent } from '#client';
import type { Databases, Installation, ShownItem } from './installation.ts';

/** The item of whose events every one makes the handler fail. */
export const failingItem = 'item-7';

/** A team that consumes the change events of an installation, with a handler that fails for one item. */
export class Consumer {
  readonly #server: ChangeEventServer;
  readonly #group: { readonly redisUrl: string; readonly group: string };
  /** The sequence and the number of updates of the latest event of each item, by collection and id. */
  readonly #latest = new Map<string, { readonly sequence: string; readonly updates: number }>();
  #gap: Error | undefined;

  constructor({ instance }: Installation, { redisUrl }: Pick<Databases, 'redisUrl'>) {
    this.#group = { redisUrl, group: 'team' };
    this.#server = new ChangeEventServer({
      ...this.#group,
      consumer: 'one',
      url: instance.url,
      order: 'item',
      attempts: 3,
    });
    this.#server.addHandler('feedmesh.item.*', (event: ItemEvent) => this.#take(event), true);
    this.#server.on('error', (error) => (this.#gap = error));
    this.#server.listen(() => {});
  }

  /** Returns the items of which the consumer has not seen the current version. Throws `ChangeGapError`. */
  missingOf(collection: string, items: readonly ShownItem[]): string[] {
    if (this.#gap !== undefined) throw this.#gap;
    return items
      .filter(({ id, sync }) => this.#latest.get(`${collection} ${id}`)?.updates !== sync.updates)
      .map(({ id }) => id)
      .filter((id) => id !== failingItem);
  }

  /** Returns the items of which an event was given up. */
  async deadItems(): Promise<ReadonlySet<string>> {
    return new Set((await listDeadEvents(this.#group)).map(({ event }) => event.subject));
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #take({ id, subject, sequence, data: { updates } }: ItemEvent): Promise<void> {
    if (subject === failingItem) throw new Error(`${subject} is one that this handler can't take`);
    const key = `${id.slice(0, id.lastIndexOf(':'))} ${subject}`;
    if (sequence <= (this.#latest.get(key)?.sequence ?? '')) return;
    this.#latest.set(key, { sequence, updates });
  }
}
