import { Worker } from 'node:worker_threads';
import { FeedError } from '#xml';
import type { Fragment } from '#xml';
import { FetchError } from '#core';
import type { Clock } from '#core';
import type { BrokenDocument, MendedFeed } from '#plain-feeds';
import { ReadingPlaces } from '../reading-places.ts';
import { inThisThread } from './in-this-thread.ts';
import type { ThreadAnswer, ThreadRequest } from './plain-thread-messages.ts';
import { partsOf } from './plain-work.ts';
import type { PlainFeed, PlainWork } from './plain-work.ts';

/** Megabytes of heap that the thread may have. */
const heapMegabytes = 384;

/** How long one document may take, and how long the thread is kept without work, in milliseconds. */
const longestWork = 120_000;
const longestRest = 30_000;

/** How often a sign of life is given while the thread works, in milliseconds. */
const pause = 1000;

/** How many characters (UTF-16) of items are adopted in this thread: they take a few milliseconds. */
const shortFeed = 65_536;

type Heartbeat = () => Promise<void>;

interface OpenThread {
  readonly worker: Worker;
  /** Rejected once it has failed. */
  readonly failed: Promise<never>;
}

/** Asks the thread for one thing more. */
type Ask = (request: ThreadRequest, transferred?: ArrayBuffer[]) => Promise<ThreadAnswer>;

/**
 * Works on plain feeds in a thread, which begins when it is first needed and ends when it is not any more. It
 * works on one feed at a time; others wait.
 */
export class WorkThread implements PlainWork {
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #place: ReadingPlaces;
  #thread: OpenThread | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(clock: Pick<Clock, 'wait'>) {
    this.#clock = clock;
    this.#place = new ReadingPlaces(1, clock);
  }

  /**
   * @throws FeedError as `mendFeed` does, and of rule `limit-memory`; FetchError of rule `limit-work` for a
   *   document that takes too long
   */
  async mend(bytes: Uint8Array, document: BrokenDocument, heartbeat: Heartbeat): Promise<MendedFeed> {
    const { error, ...known } = document;
    const own = new Uint8Array(bytes);
    const asked = { ...known, violation: error.violation };
    const answers = this.#work(heartbeat, async function* (_worker, ask) {
      yield await ask({ kind: 'mend', bytes: own, document: asked }, [own.buffer]);
    });
    let answer: ThreadAnswer = { kind: 'end' };
    for await (const next of answers) answer = next;
    if (answer.kind === 'mended') return answer;
    throw answer.kind === 'refused' && answer.violation ? new FeedError(answer.violation) : error;
  }

  /** Throws as `mend` does. */
  async *adopt(feed: PlainFeed, heartbeat: Heartbeat): AsyncIterable<readonly Fragment[]> {
    const { items, ...rest } = feed;
    if (items.reduce((length, { xml }) => length + xml.length, 0) <= shortFeed) {
      yield* inThisThread.adopt(feed, heartbeat);
      return;
    }
    yield* this.#work(heartbeat, async function* (worker, ask) {
      for (const part of partsOf(items)) {
        worker.postMessage({ kind: 'hold', items: part } satisfies ThreadRequest, []);
        await heartbeat();
      }
      let answer = await ask({ kind: 'adopt', ...rest });
      for (; answer.kind === 'items'; answer = await ask({ kind: 'next' })) yield answer.items;
    });
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    clearTimeout(this.#rest);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.worker.terminate();
  }

  /** Does some work in the thread. Unless that ends well the thread ends, with all that it knows. */
  async *#work<T>(
    heartbeat: Heartbeat,
    work: (worker: Worker, ask: Ask) => AsyncIterable<T>,
  ): AsyncGenerator<T, void> {
    const leave = await this.#place.take(heartbeat);
    clearTimeout(this.#rest);
    let isDone = false;
    try {
      const thread = (this.#thread ??= open());
      yield* work(thread.worker, (request, transferred = []) => {
        thread.worker.postMessage(request, transferred);
        return this.#answer(thread, heartbeat);
      });
      isDone = true;
    } finally {
      if (!isDone) await this.close();
      this.#rest = setTimeout(() => void this.close(), longestRest).unref();
      leave();
    }
  }

  async #answer({ worker, failed }: OpenThread, heartbeat: Heartbeat): Promise<ThreadAnswer> {
    const answered = new Promise<ThreadAnswer>((resolve) => void worker.once('message', resolve));
    for (let waited = 0; waited < longestWork; waited += pause) {
      const answer = await Promise.race([answered, failed, this.#clock.wait(pause)]);
      if (answer !== undefined) return answer;
      await heartbeat();
    }
    throw new FetchError(
      'limit-work',
      `The document takes more than ${longestWork / 1000} s to read; other feeds are not to wait for it.`,
    );
  }
}

function open(): OpenThread {
  const worker = new Worker(new URL('plain-thread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  worker.unref();
  const failed = new Promise<never>((_resolve, reject) => {
    worker.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error),
    );
  });
  // It may fail while nobody waits.
  failed.catch(() => {});
  return { worker, failed };
}

function tooLarge(): FeedError {
  const message = `The document takes more than ${heapMegabytes} MB of memory to read.`;
  return new FeedError({ rule: 'limit-memory', section: 'limits', message, line: 1, column: 1 });
}
