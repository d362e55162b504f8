import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { FeedError } from '#xml';
import { FetchError } from '#core';
import type { Clock } from '#core';
import type { BrokenDocument, MendedFeed } from '#plain-feeds';
import { ReadingPlaces } from '../reading-places.ts';
import { inThisProcess } from './in-this-process.ts';
import { partsOf } from './plain-work.ts';
import type { AdoptedPart, PlainFeed, PlainWork } from './plain-work.ts';
import type { ProcessAnswer, ProcessRequest } from './process-messages.ts';

/** Megabytes of heap that the process may have: all but the shortest items of a feed of 16 MiB fit. */
const usualHeap = 256;

/** How long one document may take, and how long the process is kept without work, in milliseconds. */
const longestWork = 120_000;
const longestRest = 30_000;

/** How often a sign of life is given while the process works, in milliseconds. */
const pause = 1000;

/** How many characters (UTF-16) of items are adopted here: they take a few milliseconds. */
const shortFeed = 65_536;

/** How many bytes are sent in one go. */
const sentBytes = 65_536;

type Heartbeat = () => Promise<void>;

interface OpenProcess {
  readonly child: ChildProcess;
  /** Rejected once it has ended. */
  readonly ended: Promise<never>;
}

interface Messages {
  readonly send: (request: ProcessRequest) => Promise<void>;
  /** Sends a request that is answered. */
  readonly ask: (request: ProcessRequest) => Promise<ProcessAnswer>;
}

/**
 * Works on plain feeds in a process of its own, which begins when it is first needed and ends when it is not
 * any more. It works on one feed at a time; others wait. A thread would not do: one that runs out of memory
 * may end the whole process.
 */
export class WorkProcess implements PlainWork {
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #heap: number;
  readonly #place: ReadingPlaces;
  #process: OpenProcess | undefined;
  #rest: NodeJS.Timeout | undefined;

  /** @param heap in megabytes */
  constructor(clock: Pick<Clock, 'wait'>, heap = usualHeap) {
    this.#clock = clock;
    this.#heap = heap;
    this.#place = new ReadingPlaces(1, clock);
  }

  /**
   * @throws FeedError as `mendFeed` does, and of rule `limit-memory`; FetchError of rule `limit-work` for a
   *   document that takes too long
   */
  async mend(bytes: Uint8Array, document: BrokenDocument, heartbeat: Heartbeat): Promise<MendedFeed> {
    const { error, ...known } = document;
    const asked = { ...known, violation: error.violation };
    const pieces: Uint8Array[] = [];
    let answer: ProcessAnswer = { kind: 'end' };
    const answers = this.#work(heartbeat, async function* ({ send, ask }) {
      for (let at = 0; at < bytes.length; at += sentBytes)
        await send({ kind: 'bytes', bytes: bytes.subarray(at, at + sentBytes) });
      yield await ask({ kind: 'mend', document: asked });
      let next = await ask({ kind: 'next' });
      for (; next.kind === 'bytes'; next = await ask({ kind: 'next' })) pieces.push(next.bytes);
    });
    for await (const next of answers) answer = next;
    if (answer.kind === 'mended') return { ...answer, pieces };
    throw answer.kind === 'refused' && answer.violation ? new FeedError(answer.violation) : error;
  }

  /** Throws as `mend` does. */
  async *adopt(feed: PlainFeed, heartbeat: Heartbeat): AsyncIterable<AdoptedPart> {
    const { items, ...rest } = feed;
    if (items.reduce((length, { xml }) => length + xml.length, 0) <= shortFeed) {
      yield* inThisProcess.adopt(feed, heartbeat);
      return;
    }
    yield* this.#work(heartbeat, async function* ({ send, ask }) {
      for (const part of partsOf(items)) await send({ kind: 'items', items: part });
      let answer = await ask({ kind: 'adopt', ...rest });
      for (; answer.kind === 'adopted'; answer = await ask({ kind: 'next' })) yield answer;
    });
  }

  /** Ends the process. */
  close(): void {
    clearTimeout(this.#rest);
    this.#process?.child.kill('SIGKILL');
    this.#process = undefined;
  }

  /** Does some work in the process. Unless that ends well the process ends, with all that it knows. */
  async *#work<T>(
    heartbeat: Heartbeat,
    work: (messages: Messages) => AsyncIterable<T>,
  ): AsyncGenerator<T, void> {
    const leave = await this.#place.take(heartbeat);
    clearTimeout(this.#rest);
    let isDone = false;
    try {
      const opened = (this.#process ??= open(this.#heap));
      const send = async (request: ProcessRequest): Promise<void> => {
        const sent = new Promise<void>((resolve) => void opened.child.send(request, () => resolve()));
        await Promise.race([sent, opened.ended]);
        await heartbeat();
      };
      const ask = async (request: ProcessRequest): Promise<ProcessAnswer> => {
        const answered = new Promise<ProcessAnswer>((resolve) => void opened.child.once('message', resolve));
        await send(request);
        return this.#answer(Promise.race([answered, opened.ended]), heartbeat);
      };
      yield* work({ send, ask });
      isDone = true;
    } finally {
      if (!isDone) this.close();
      this.#rest = setTimeout(() => this.close(), longestRest).unref();
      leave();
    }
  }

  async #answer(answered: Promise<ProcessAnswer>, heartbeat: Heartbeat): Promise<ProcessAnswer> {
    for (let waited = 0; waited < longestWork; waited += pause) {
      const answer = await Promise.race([answered, this.#clock.wait(pause)]);
      if (answer !== undefined) return answer;
      await heartbeat();
    }
    throw new FetchError(
      'limit-work',
      `The document takes more than ${longestWork / 1000} s to read; other feeds are not to wait for it.`,
    );
  }
}

function open(heap: number): OpenProcess {
  const child = fork(fileURLToPath(import.meta.resolve('#plain-process')), [], {
    execArgv: [`--max-old-space-size=${heap}`],
    // Nothing that a service knows by its environment is known to what reads hostile documents.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(signal === null ? new Error(`the process for plain feeds has ended (${code})`) : tooLarge(heap)),
    );
  });
  // It may end while nobody waits.
  ended.catch(() => {});
  return { child, ended };
}

/** The error for a document by which the process was ended: by Node.js, or by the system. */
function tooLarge(heap: number): FeedError {
  const message = `The document takes more than ${heap} MB of memory to read.`;
  return new FeedError({ rule: 'limit-memory', section: 'limits', message, line: 1, column: 1 });
}
