import type { Command, CommandName } from '#contracts';
import { openCommandQueue } from '../command-queue.ts';
import type { CommandQueue, CommandQueueOptions } from '../command-queue.ts';

type CommandData<Name extends CommandName> = Extract<Command, { name: Name }>['data'];

/**
 * Sends commands to Feedmesh through its queue `commands`. Each call returns once the command is in the
 * queue; it throws `JobDataError` if the data breaks the command's schema, and `TimeLimitError` if
 * Redis does not answer. What can't be done afterwards goes to the dead letters, with the reason.
 */
export class FeedmeshClient {
  readonly #queue: CommandQueue;

  constructor(options: CommandQueueOptions) {
    this.#queue = openCommandQueue(options);
  }

  /** Subscribe a collection to a feed, or change the url and interval (seconds) of a subscription. */
  async subscribe(data: CommandData<'subscribe'>): Promise<void> {
    await this.#queue.send({ name: 'subscribe', data });
  }

  async unsubscribe(data: CommandData<'unsubscribe'>): Promise<void> {
    await this.#queue.send({ name: 'unsubscribe', data });
  }

  /** Fetch a subscription's feed now. */
  async refresh(data: CommandData<'refresh'>): Promise<void> {
    await this.#queue.send({ name: 'refresh', data });
  }

  /** Create, update, delete, undelete or resolve one item. */
  async edit(data: CommandData<'edit'>): Promise<void> {
    await this.#queue.send({ name: 'edit', data });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
