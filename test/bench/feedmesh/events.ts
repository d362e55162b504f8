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
  const redis = new Redis(redisUrl);
  const latencies: number[] = [];
  try {
    let [[id] = ['0']] = await redis.xrevrange(stream, '+', '-', 'COUNT', 1);
    for (let index = 0; index < edits; index += 1) {
      const startedAt = performance.now();
      const arrival = nextEvent(redis, id);
      await edit(url, itemAt(index), startedAt);
      id = await arrival;
      latencies.push(performance.now() - startedAt);
    }
  } finally {
    redis.disconnect();
  }
  return latencies;
}

async function nextEvent(redis: Redis, after: string): Promise<string> {
  const read = await redis.xread('COUNT', 1, 'BLOCK', 60_000, 'STREAMS', stream, after);
  const id = read?.[0]?.[1][0]?.[0];
  if (id === undefined) throw new Error('an event did not arrive within 60 s');
  return id;
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
