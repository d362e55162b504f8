import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Contender } from '../row.ts';

/** One entry after the other goes from XADD to a waiting XREADGROUP: what no event can undercut. */
export function redisStream(url: string, entries: number): Contender {
  return { name: 'XADD → XREADGROUP', run: () => measureStream(url, entries) };
}

async function measureStream(url: string, entries: number) {
  const writer = new Redis(url);
  const reader = new Redis(url);
  const stream = `bench:${randomUUID()}`;
  try {
    await writer.xgroup('CREATE', stream, 'group', '$', 'MKSTREAM');
    const latencies: number[] = [];
    const startedAt = performance.now();
    for (let entry = 0; entry < entries; entry += 1) {
      const arrival = reader.xreadgroup('GROUP', 'group', 'reader', 'BLOCK', 10_000, 'STREAMS', stream, '>');
      const sentAt = performance.now();
      await writer.xadd(stream, '*', 'event', String(entry));
      if ((await arrival) === null) throw new Error('an entry of the stream did not arrive');
      latencies.push(performance.now() - sentAt);
    }
    return { operations: entries, seconds: (performance.now() - startedAt) / 1000, latencies };
  } finally {
    await writer.del(stream);
    writer.disconnect();
    reader.disconnect();
  }
}
