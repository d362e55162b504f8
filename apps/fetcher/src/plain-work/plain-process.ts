import { mendFeed } from '#plain-feeds';
import { FeedError } from '#xml';
import type { Fragment } from '#xml';
import type { ProcessAnswer, ProcessRequest } from './process-messages.ts';
import { adoptedParts } from './plain-work.ts';

// The program that `WorkProcess` starts, and that ends with it.

let bytes: Uint8Array[] = [];
let items: Fragment[] = [];
let answers: Iterator<ProcessAnswer> = [].values();

// Whoever ends a service by a signal to all of its processes lets it finish.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

process.on('disconnect', () => process.exit());
process.on('message', (request: ProcessRequest) => {
  if (request.kind === 'bytes') bytes.push(request.bytes);
  else if (request.kind === 'items') items.push(...request.items);
  else {
    if (request.kind === 'mend') answers = mend(request);
    if (request.kind === 'adopt') answers = adopt(request);
    const { value, done } = answers.next();
    answer(done === true ? { kind: 'end' } : value);
  }
});

function* mend({ document: { violation, ...document } }: ProcessRequest & { kind: 'mend' }) {
  const whole = Buffer.concat(bytes);
  bytes = [];
  const error = new FeedError(violation);
  try {
    const { pieces, ...mended } = mendFeed(whole, { ...document, error });
    yield { kind: 'mended', ...mended } satisfies ProcessAnswer;
    for (const piece of pieces) yield { kind: 'bytes', bytes: piece } satisfies ProcessAnswer;
  } catch (refusal) {
    if (!(refusal instanceof FeedError)) throw refusal;
    const answer = { kind: 'refused', ...(refusal !== error && { violation: refusal.violation }) } as const;
    yield answer satisfies ProcessAnswer;
  }
}

function* adopt(feed: ProcessRequest & { kind: 'adopt' }) {
  const held = items;
  items = [];
  for (const part of adoptedParts({ ...feed, items: held }))
    yield { kind: 'adopted', ...part } satisfies ProcessAnswer;
}

function answer(message: ProcessAnswer): void {
  process.send?.(message);
}
