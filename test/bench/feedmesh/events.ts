import { Redis } from 'ioredis';
import { request } from 'undici';
import { sampleText } from './own-items.ts';
import type { Installation } from './installation.ts';

const stream = 'feedmesh:changes:0';

/** An item that is edited. */
interface Edited {
  readonly collection: string;
  readonly id: string;
}

/**
 * Edits items through the API one after the other, each once the event of the one before it is on the stream.
 * Returns the milliseconds from each request to its event. Nothing else may change anything meanwhile.
 * @param itemAt the item of a number from 0
 */
export async function editOneByOne(
  { url, redisUrl }: Installation,
  edits: number,
  itemAt: (index: number) => Edited,
): Promise<number[]> {
  return withStream(redisUrl, async (redis, last) => {
    const latencies: number[] = [];
    let after = last;
    for (let index = 0; index < edits; index += 1) {
      const startedAt = performance.now();
      const arrival = nextEvents(redis, after);
      await edit(url, itemAt(index), startedAt);
      after = lastOf(await arrival);
      latencies.push(performance.now() - startedAt);
    }
    return latencies;
  });
}

/**
 * Does some work and waits until the stream has `count` more item events. Returns the milliseconds from the
 * start of the work until Redis added the last one. No other item may change during that time.
 */
export async function untilItemEvents(
  { redisUrl }: Pick<Installation, 'redisUrl'>,
  count: number,
  work: () => Promise<void>,
): Promise<number> {
  return withStream(redisUrl, async (redis, last) => {
    const startedAt = Date.now();
    await work();
    const items: StreamEvent[] = [];
    for (let after = last; items.length < count;) {
      const events = await nextEvents(redis, after);
      after = lastOf(events);
      items.push(...events.filter(({ text }) => text.includes('"feedmesh.item.')));
    }
    return appendedAt(lastOf(items)) - startedAt;
  });
}

/** @param work gets the id of the last event on the stream */
async function withStream<Result>(
  redisUrl: string,
  work: (redis: Redis, last: string) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(redisUrl);
  try {
    const [[last] = ['0']] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1);
    return await work(redis, last);
  } finally {
    redis.disconnect();
  }
}

/** An entry of the stream. */
interface StreamEvent {
  readonly id: string;
  readonly text: string;
}

/** Returns the events after an id, at least one; waits for them. */
async function nextEvents(redis: Redis, after: string): Promise<readonly StreamEvent[]> {
  const read = await redis.xread('COUNT', 1000, 'BLOCK', 60_000, 'STREAMS', stream, after);
  const entries = read?.[0]?.[1] ?? [];
  if (entries.length === 0) throw new Error('an event did not arrive within 60 s');
  return entries.map(([id, fields]) => ({ id, text: fields.join(' ') }));
}

function lastOf(events: readonly StreamEvent[]): string {
  return events.at(-1)?.id ?? '';
}

/** Milliseconds since 1970, of the id that Redis gave an entry of a stream. */
function appendedAt(id: string): number {
  return Number(id.split('-')[0]);
}

/** @param number makes the text another one than before */
async function edit(gateway: string, { collection, id }: Edited, number: number): Promise<void> {
  const path = `/v1/collections/${collection}/items/${encodeURIComponent(id)}`;
  const response = await request(`${gateway}${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: `Edited at ${number}`, content: sampleText(number) }),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`PUT ${path}: ${response.statusCode} ${text}`);
}
