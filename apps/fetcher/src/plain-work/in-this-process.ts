import { mendFeed } from '#plain-feeds';
import { adoptedParts } from './plain-work.ts';
import type { PlainWork } from './plain-work.ts';

/** Works at once, and holds up whatever else this process does. */
export const inThisProcess: PlainWork = {
  mend: async (bytes, document) => mendFeed(bytes, document),
  async *adopt(feed) {
    yield* adoptedParts(feed);
  },
};
