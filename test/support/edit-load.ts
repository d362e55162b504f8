import { setTimeout as wait } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { ChangeEvent } from '#contracts';
import { until } from './until.ts';

/** Milliseconds that a client takes between two items. */
const pause = 30;

/** Three clients that create items over a gateway, one after another, each until it is acknowledged. */
export class EditLoad {
  /** The ids of the items, in the order in which they were acknowledged. */
  readonly acknowledged: string[] = [];
  /** How many requests were answered with 503. */
  failures = 0;
  readonly #url: string;
  readonly #writers: readonly Promise<void>[];
  #begun = 0;
  #hasEnded = false;
  #fault: unknown;

  /** @param url of the items of a collection */
  constructor(url: string) {
    this.#url = url;
    this.#writers = [1, 2, 3].map(async () => {
      await this.#write().catch((error: unknown) => (this.#fault ??= error));
    });
  }

  /** Waits until so many more are acknowledged. Throws what ended a client. */
  async acknowledges(count: number): Promise<void> {
    const least = this.acknowledged.length + count;
    await until(() => this.#fault !== undefined || this.acknowledged.length >= least);
    this.#expectNoFault();
  }

  /**
   * Ends it once what it has begun is acknowledged, and expects one event for each acknowledged item, without
   * a gap and in the order of the log.
   * @param relayed reads the events of the collection
   */
  async endInOrder(relayed: () => Promise<readonly ChangeEvent[]>): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#writers);
    this.#expectNoFault();
    const events = await until(relayed, ({ length }) => length >= this.acknowledged.length);
    expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_event, place) => place + 1));
    expect(events.map(({ subject }) => subject).toSorted()).toEqual(this.acknowledged.toSorted());
  }

  #expectNoFault(): void {
    if (this.#fault !== undefined) throw new Error('a client has ended', { cause: this.#fault });
  }

  async #write(): Promise<void> {
    while (!this.#hasEnded) {
      const id = `item-${(this.#begun += 1)}`;
      while (!(await this.#create(id))) await wait(100);
      this.acknowledged.push(id);
      await wait(pause);
    }
  }

  async #create(id: string): Promise<boolean> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ id, title: 'Written' }),
    });
    const body = await response.text();
    if (response.ok) return true;
    if (response.status !== 503) throw new Error(`${response.status}: ${body}`);
    this.failures += 1;
    return false;
  }
}
