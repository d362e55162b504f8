import { parentPort, workerData } from 'node:worker_threads';
import { corpus } from './corpus.ts';
import { tryFeed } from './trial.ts';
import type { TrialResult } from './trial.ts';

/** What a worker says of each feed. */
export type WorkerMessage =
  | { readonly kind: 'begins'; readonly name: string }
  | {
      readonly kind: 'ends';
      readonly name: string;
      readonly result: TrialResult | { readonly crash: string };
    };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows
const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

for (const feed of corpus.slice((workerData as { readonly from: number }).from)) {
  const { name } = feed;
  say({ kind: 'begins', name });
  try {
    say({ kind: 'ends', name, result: await tryFeed(feed) });
  } catch (error) {
    say({ kind: 'ends', name, result: { crash: String((error as Error).stack ?? error).slice(0, 2000) } });
  }
}
say({ kind: 'begins', name: '' });
