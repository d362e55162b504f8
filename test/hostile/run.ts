import { Worker } from 'node:worker_threads';
import { corpus } from './corpus.ts';
import type { TrialResult } from './trial.ts';
import type { WorkerMessage } from './worker.ts';

/** What this program prints of each feed, as one line of JSON. */
export type Report = { readonly name: string; readonly seconds: number } & (
  | TrialResult
  /** Not finished: an error that nothing had foreseen, or more time or memory than a feed may take. */
  | { readonly crash: string }
);

/**
 * Seconds of processor time that one feed may take with everything that is tried with it, and megabytes of
 * heap.
 */
const limits = {
  seconds: Number(process.env['HOSTILE_SECONDS'] ?? 20),
  megabytes: Number(process.env['HOSTILE_MEGABYTES'] ?? 350),
};

const pollMilliseconds = 100;

/**
 * Tries the whole corpus, one feed after the other, in a thread that is ended and begun again if a feed takes
 * too much. What counts is the time that this process works, not the time that passes: a busy machine changes
 * nothing.
 */
async function tryAll(): Promise<void> {
  for (let next = 0; next < corpus.length;) next = await tryFrom(next);
}

/** Tries feeds from a number on; returns the number of the first one that has not been tried. */
async function tryFrom(from: number): Promise<number> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { from },
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 64 },
  });
  let current = { index: from, began: process.cpuUsage() };
  const seconds = (): number => {
    const { user, system } = process.cpuUsage(current.began);
    return (user + system) / 1e6;
  };
  const report = (result: TrialResult | { readonly crash: string }): void => {
    const name = corpus[current.index]?.name ?? '';
    const line = JSON.stringify({ name, seconds: Math.round(seconds() * 100) / 100, ...result });
    process.stdout.write(`${line}\n`);
  };
  const next = await new Promise<number>((resolve) => {
    let isOver = false;
    const end = (index: number): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(watch);
      resolve(index);
    };
    const fail = (crash: string): void => {
      if (!isOver) report({ crash });
      end(current.index + 1);
    };
    const watch = setInterval(() => {
      if (seconds() > limits.seconds) fail(`took more than ${limits.seconds} s of processor time`);
    }, pollMilliseconds);
    worker.on('error', (error: NodeJS.ErrnoException) =>
      fail(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `took more than ${limits.megabytes} MB`
          : String(error.stack),
      ),
    );
    worker.on('exit', () => fail('the thread has ended'));
    worker.on('message', (message: WorkerMessage) => {
      if (isOver) return;
      if (message.kind === 'ends') report(message.result);
      else if (message.name === '') end(corpus.length);
      else
        current = { index: corpus.findIndex(({ name }) => name === message.name), began: process.cpuUsage() };
    });
  });
  await worker.terminate();
  return next;
}

await tryAll();
