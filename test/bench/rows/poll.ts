import { openUnchangedFeeds } from '../feedmesh/polls.ts';
import { sendLoad } from '../http-load.ts';
import { scaled } from '../row.ts';
import type { Row } from '../row.ts';

const hosts = 100;

/** Subscriptions become due at once and are answered by 304, until the last is recorded. */
export const poll: Row = {
  name: 'poll',
  operation: 'a poll answered by 304',
  goals: [{ figure: 'rate', beside: 'raw conditional GET, 16 clients', atLeast: 0.25 }],
  async open(world, scale) {
    const count = scaled(2000, scale);
    const { feeds, polls, close } = await openUnchangedFeeds(
      await world.installation(),
      'poll',
      count,
      hosts,
    );
    return {
      ours: { ...polls, name: 'feedmesh' },
      references: [
        {
          name: 'raw conditional GET, 16 clients',
          run: async () => {
            const etag = feeds.etag('/feed');
            const startedAt = performance.now();
            await sendLoad(count, 16, 304, (index) => ({
              url: feeds.url(`/feed?${index}`, index % hosts),
              headers: { 'if-none-match': etag },
            }));
            return { operations: count, seconds: (performance.now() - startedAt) / 1000 };
          },
        },
      ],
      close,
    };
  },
};
