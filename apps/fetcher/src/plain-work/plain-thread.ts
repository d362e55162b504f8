import { parentPort } from 'node:worker_threads';
import { mendFeed } from '#plain-feeds';
import { FeedError } from '#xml';
import type { Fragment } from '#xml';
import type { ThreadAnswer, ThreadRequest } from './plain-thread-messages.ts';
import { adoptedParts } from './plain-work.ts';

let held: Fragment[] = [];
let parts: Iterator<readonly Fragment[]> | undefined;

/** Does what `PlainThread` asks for; it asks for one thing at a time. */
parentPort?.on('message', (request: ThreadRequest) => {
  if (request.kind === 'hold') held.push(...request.items);
  else if (request.kind === 'mend') mend(request);
  else answerNext(request);
});

function mend({ bytes, document: { violation, ...document } }: ThreadRequest & { kind: 'mend' }): void {
  const error = new FeedError(violation);
  try {
    const mended = mendFeed(bytes, { ...document, error });
    answer(
      { kind: 'mended', ...mended },
      mended.pieces.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (refusal) {
    if (!(refusal instanceof FeedError)) throw refusal;
    answer({ kind: 'refused', ...(refusal !== error && { violation: refusal.violation }) });
  }
}

function answerNext(request: ThreadRequest & { kind: 'adopt' | 'next' }): void {
  if (request.kind === 'adopt') {
    parts = adoptedParts({ ...request, items: held })[Symbol.iterator]();
    held = [];
  }
  const next = parts?.next();
  answer(next === undefined || next.done === true ? { kind: 'end' } : { kind: 'items', items: next.value });
  if (next?.done === true) parts = undefined;
}

function answer(message: ThreadAnswer, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}
