import { setTimeout as wait } from 'node:timers/promises';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

const minute = 60_000;

/** The processor time of all processes while there is nothing to do. */
export const idle: Row = {
  name: 'idle',
  operation: 'a minute with nothing to do',
  goals: [{ figure: 'processorTime', atMost: 1000 }],
  async open(world, scale) {
    const milliseconds = scaled(20_000, scale);
    const installation = await world.installation();
    return {
      ours: {
        name: 'feedmesh',
        run: () => installation.measure(milliseconds / minute, async () => wait(milliseconds)),
      },
      references: [],
    };
  },
};
