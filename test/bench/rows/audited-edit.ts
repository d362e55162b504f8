import type { Installation } from '../feedmesh/installation.ts';
import { createOwnItems, editOwnItems } from '../feedmesh/own-items.ts';
import { scaled } from '../row.ts';
import type { Contender, Row } from '../row.ts';

const clients = 16;

/** The same edits with the audit log and without it: the difference is what an entry costs. */
export const auditedEdit: Row = {
  name: 'audit',
  operation: `an edit that is audited, ${clients} clients`,
  goals: [{ figure: 'processorTime', beside: 'without an audit log', atMost: 1.4 }],
  async open(world, scale) {
    const items = scaled(1000, scale);
    const opened: Installation[] = [];
    const contender = async (name: string, AUDIT: string): Promise<Contender> => {
      const installation = await world.another({ environment: { AUDIT } });
      opened.push(installation);
      await createOwnItems(installation, 'audit', items);
      let round = 0;
      return {
        name,
        run: () => {
          round += 1;
          return installation.measure(items, () =>
            editOwnItems(installation, 'audit', { items, edits: items, clients, round }),
          );
        },
      };
    };
    return {
      ours: await contender('feedmesh', 'on'),
      references: [await contender('without an audit log', 'off')],
      close: async () => void (await Promise.all(opened.map((installation) => installation.stop()))),
    };
  },
};
