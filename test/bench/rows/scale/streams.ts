import { createOwnItems, editOwnItems } from '../../feedmesh/own-items.ts';
import { EventStreams } from '../../feedmesh/event-streams.ts';
import { scaled } from '../../row.ts';
import type { Contender, Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

const items = 10;

/** From an edit's request to its arrival at each of many event streams of one gateway. */
export const manyStreams: Row = {
  name: 'scale-streams',
  operation: 'an edit, until its event is at each event stream of a gateway',
  goals: [{ figure: 'most', atMost: 100 }],
  async open(world, scale) {
    const edits = Math.min(50, scaled(50, scale));
    const sizes = [10, Math.max(11, scaled(500, scale))];
    const installation = await world.another({
      environment: { GATEWAY_CHANGE_READERS: String(sizes.reduce((sum, size) => sum + size, 0)) },
    });
    const opened: EventStreams[] = [];
    const contenders: Contender[] = [];
    for (const count of sizes) {
      const collection = `to-${count}`;
      await createOwnItems(installation, collection, items);
      const streams = await EventStreams.open(installation, collection, count, items);
      opened.push(streams);
      let round = 0;
      const run = async () => {
        const sample = await installation.measure(edits, async () => {
          const latencies: number[] = [];
          for (let index = 0; index < edits; index += 1) {
            round += 1;
            const arrivals = streams.nextEvent();
            await editOwnItems(installation, collection, { items, edits: 1, clients: 1, round });
            for (const latency of await arrivals) latencies.push(latency);
          }
          return latencies;
        });
        return { ...sample, memory: installation.peakMemory() };
      };
      contenders.push({ name: `feedmesh, ${count} streams`, run });
    }
    return {
      ...againstSmaller(contenders),
      close: async () => {
        for (const streams of opened) streams.close();
        await installation.stop();
      },
    };
  },
};
