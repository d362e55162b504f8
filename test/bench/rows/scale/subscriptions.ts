import { openUnchangedFeeds } from '../../feedmesh/polls.ts';
import type { UnchangedFeeds } from '../../feedmesh/polls.ts';
import { scaled } from '../../row.ts';
import type { Row } from '../../row.ts';
import { againstSmaller } from './against-smaller.ts';

const hosts = 1000;

/** Many subscriptions become due at once, beside few. */
export const manySubscriptions: Row = {
  name: 'scale-subscriptions',
  operation: `a poll answered by 304, ${hosts} hosts`,
  goals: [],
  async open(world, scale) {
    const installation = await world.installation();
    const opened: UnchangedFeeds[] = [];
    for (const count of [1000, 10_000].map((full) => scaled(full, scale)))
      opened.push(await openUnchangedFeeds(installation, `polled-${count}`, count, hosts));
    return {
      ...againstSmaller(opened.map(({ polls }) => polls)),
      close: async () => {
        for (const { close } of opened) await close();
      },
    };
  },
};
