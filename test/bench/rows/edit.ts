import { createOwnItems, editOwnItems, sampleText } from '../feedmesh/own-items.ts';
import { rawEdits } from '../references/raw-writes.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

const clients = 16;

/** From the first request to the last event on the stream. */
export const edit: Row = {
  name: 'edit',
  operation: `an edit through the API, ${clients} clients`,
  goals: [
    { figure: 'rate', beside: `raw read + compare-and-set, one by one, ${clients} clients`, atLeast: 1 },
  ],
  async open(world, scale) {
    const items = scaled(1000, scale);
    const installation = await world.installation();
    await createOwnItems(installation, 'edit', items);
    let round = 0;
    return {
      ours: {
        name: 'feedmesh',
        run: () => {
          round += 1;
          return installation.measure(items, async () => {
            await editOwnItems(installation, 'edit', { items, edits: items, clients, round });
            await installation.relayed('edit', items * (round + 1));
          });
        },
      },
      references: [rawEdits(world.mongodbUri, items, clients, sampleText(0))],
      close: () => installation.send('DELETE', 'collections/edit'),
    };
  },
};
