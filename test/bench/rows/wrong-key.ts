import { openKeyedFeed } from '../feedmesh/keyed-feed.ts';
import { sendLoad } from '../http-load.ts';
import { scaled } from '../row.ts';
import type { Contender, Row } from '../row.ts';

/** The refusal of a key that is wrong at its end, beside others: a difference would help to guess a key. */
export const wrongKey: Row = {
  name: 'wrong-key',
  operation: 'refusing a key whose last characters are wrong',
  goals: [],
  open: async (world, scale) => {
    const requests = scaled(4000, scale);
    const { installation, url, key } = await openKeyedFeed(world);
    const [, id = '', secret = ''] = /^fm_([^_]*)_(.*)$/.exec(key) ?? [];
    const others = (letters: string): string => letters.replace(/./g, (one) => (one === 'A' ? 'B' : 'A'));
    const contender = (name: string, wrong: string): Contender => ({
      name,
      run: () =>
        installation.measure(requests, () =>
          sendLoad(requests, 1, 401, () => ({ url, headers: { authorization: `Bearer ${wrong}` } })),
        ),
    });
    return {
      ours: contender('feedmesh', `fm_${id}_${secret.slice(0, -4)}${others(secret.slice(-4))}`),
      references: [
        contender(
          'its first characters are wrong',
          `fm_${id}_${others(secret.slice(0, 4))}${secret.slice(4)}`,
        ),
        contender('there is no such key', `fm_${'0'.repeat(16)}_${secret}`),
      ],
      close: () => installation.stop(),
    };
  },
};
