import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { formatCursor } from '#contracts';
import type { ChangeEvent, ChangesView } from '#contracts';
import { readServerSentEvents } from '../../apps/cli/src/service/server-sent-events.ts';
import type { Dice } from '../simulation/dice.ts';
import { briefLife, isCut, responseOf } from './reader-life.ts';

/** Changes after a cursor, and the cursor after them. */
type Page = Pick<ChangesView, 'changes' | 'next'>;

/** Reads the changes of a collection, in lives that end at random; each begins with what was stored. */
export class ChangeReader {
  /** Each change, when it was seen first. */
  readonly seen: ChangeEvent[] = [];
  readonly faults: string[] = [];
  lives = 0;
  #stored = formatCursor(0);

  /** @param urls of the changes, at each gateway */
  constructor(
    private readonly mode: 'longpoll' | 'stream',
    private readonly urls: readonly string[],
    private readonly dice: Dice,
  ) {}

  async follow(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; this.lives += 1) {
      await this.#live(briefLife(this.dice, signal)).catch((error: unknown) => {
        if (!isCut(error)) this.faults.push(String(error));
      });
      await wait(20);
    }
  }

  async #live(signal: AbortSignal): Promise<void> {
    for (let cursor = this.#stored; !signal.aborted;)
      for await (const page of this.#pages(cursor, signal)) {
        cursor = this.#take(cursor, page);
        if (this.dice.below(4) > 0) this.#stored = cursor;
      }
  }

  async *#pages(cursor: string, signal: AbortSignal): AsyncGenerator<Page> {
    const url = `${this.dice.pick(this.urls)}?mode=${this.mode}&since=${cursor}`;
    const response = await responseOf(url, signal);
    if (this.mode === 'longpoll') yield (await response.json()) as ChangesView;
    else
      for await (const { id, data } of readServerSentEvents(response.body as AsyncIterable<Uint8Array>))
        yield { changes: [JSON.parse(data) as ChangeEvent], next: id };
  }

  /** Returns the cursor after a page: each of its changes follows the one before, and is the same always. */
  #take(cursor: string, { changes, next }: Page): string {
    let last = cursor;
    for (const change of changes) {
      if (Number(change.sequence) !== Number(last) + 1) this.faults.push(`${change.id} after ${last}`);
      last = change.sequence;
      const known = (this.seen[Number(last) - 1] ??= change);
      if (!isDeepStrictEqual(known, change)) this.faults.push(`${change.id} has changed`);
    }
    if (next !== last) this.faults.push(`${next} after ${last}`);
    return next;
  }
}
