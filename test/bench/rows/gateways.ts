import { createOwnItems, editOwnItems } from '../feedmesh/own-items.ts';
import { scaled } from '../row.ts';
import type { Contender, Row } from '../row.ts';

const clients = 16;
const collection = 'gateways';

/** The same edits of one collection through one gateway and through several. */
export const gateways: Row = {
  name: 'gateways',
  operation: `an edit through four gateways, ${clients} clients, one collection`,
  goals: [
    { figure: 'processorTime', of: 'two gateways', beside: 'one gateway', atMost: 1.1 },
    { figure: 'processorTime', of: 'four gateways', beside: 'one gateway', atMost: 1.1 },
  ],
  async open(world, scale) {
    const items = scaled(1000, scale);
    const installation = await world.another({ gateways: 4 });
    await createOwnItems(installation, collection, items);
    let round = 0;
    const contender = (name: string, count: number): Contender => ({
      name,
      run: () => {
        round += 1;
        return installation.measure(items, async () => {
          const edits = { items, edits: items, clients, round, gateways: count };
          await editOwnItems(installation, collection, edits);
          await installation.relayed(collection, items * (round + 1));
        });
      },
    });
    return {
      ours: contender('four gateways', 4),
      references: [contender('two gateways', 2), contender('one gateway', 1)],
      close: () => installation.stop(),
    };
  },
};
