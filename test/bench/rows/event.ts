import { Redis } from 'ioredis';
import { createOwnItems, editOwnItems } from '../feedmesh/own-items.ts';
import { redisStream } from '../references/redis-stream.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

const stream = 'feedmesh:changes:0';

/** From an edit's request to its event on the stream, with nothing else going on. */
export const event: Row = {
  name: 'event',
  operation: 'from an edit to its event on the stream, idle',
  goals: { latency: { median: 8, most: 20 } },
  async open(world, scale) {
    const edits = scaled(200, scale);
    const installation = await world.installation();
    await createOwnItems(installation, 'event', 10);
    const redis = new Redis(world.redisUrl);
    let round = 0;
    const next = async (after: string): Promise<string> => {
      const read = await redis.xread('COUNT', 1, 'BLOCK', 10_000, 'STREAMS', stream, after);
      const id = read?.[0]?.[1][0]?.[0];
      if (id === undefined) throw new Error('an event did not arrive within 10 s');
      return id;
    };
    const last = async (): Promise<string> =>
      (await redis.xrevrange(stream, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0';
    return {
      ours: {
        name: 'feedmesh',
        run: () =>
          installation.measure(edits, async () => {
            const latencies: number[] = [];
            let id = await last();
            for (let index = 0; index < edits; index += 1) {
              round += 1;
              const startedAt = performance.now();
              const arrival = next(id);
              await editOwnItems(installation, 'event', { items: 10, edits: 1, clients: 1, round });
              id = await arrival;
              latencies.push(performance.now() - startedAt);
            }
            return latencies;
          }),
      },
      references: [redisStream(world.redisUrl, edits)],
      close: async () => {
        redis.disconnect();
        await installation.send('DELETE', 'collections/event');
      },
    };
  },
};
