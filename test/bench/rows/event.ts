import { editOneByOne } from '../feedmesh/events.ts';
import { createOwnItems, sampleText } from '../feedmesh/own-items.ts';
import { rawWrites } from '../references/raw-writes.ts';
import { redisStream } from '../references/redis-stream.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

const items = 10;

/** From an edit's request to its event on the stream, with nothing else going on. */
export const event: Row = {
  name: 'event',
  operation: 'from an edit to its event on the stream, idle',
  goals: [{ figure: 'median', beside: 'one raw write', atMost: 3.5 }],
  async open(world, scale) {
    const edits = scaled(200, scale);
    const installation = await world.installation();
    await createOwnItems(installation, 'event', items);
    const itemAt = (index: number) => ({ collection: 'event', id: `item-${index % items}` });
    return {
      ours: {
        name: 'feedmesh',
        run: () => installation.measure(edits, () => editOneByOne(installation, edits, itemAt)),
      },
      references: [rawWrites(world.mongodbUri, edits, sampleText(0)), redisStream(world.redisUrl, edits)],
      close: () => installation.send('DELETE', 'collections/event'),
    };
  },
};
