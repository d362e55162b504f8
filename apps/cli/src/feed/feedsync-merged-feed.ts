import type { Item } from '#feedsync';
import { writeItem, feedsyncProtocol } from '#feedsync';
import type { FeedFormat, FeedHead, Fragment, Payload } from '#xml';
import { convertItem, neededData } from './convert-item.ts';
import { FeedSet, isItem } from './feed-set.ts';
import type { MergedFeed, Taken } from './merged-feed.ts';

/**
 * Feeds of FeedSync, merged by 3.3 in the format of the local one; items of the other format are converted.
 */
export class FeedSyncMergedFeed implements MergedFeed {
  readonly protocol = feedsyncProtocol;
  readonly #set = new FeedSet<Item<Payload>>(feedsyncProtocol);
  /** Of the local feed, once that is read. */
  #format: FeedFormat | undefined;

  take(fragment: Fragment): Taken {
    const format = this.#format;
    return this.#set.take(
      fragment,
      (item) => (format === undefined ? item : convertItem(item, format)),
      format === undefined,
    );
  }

  end({ format }: FeedHead): void {
    if (format !== 'opml') this.#format ??= format;
  }

  get items(): readonly Item<Payload>[] {
    return this.#set.items;
  }

  *write(head: FeedHead): Iterable<string> {
    for (const member of this.#set.members)
      yield `${isItem(member) ? writeItem(member, neededData(member, head.title ?? '')) : member.xml}\n`;
  }
}
