import type { Feed, Item, Link } from '#cse';
import { CseFeedReader } from '#cse';
import type { Payload } from '#xml';

/** An item as a reader of its feed has it. */
export interface ReadItem extends Item {
  readonly title: string;
}

/** A feed as its reader has it. */
export interface ReadFeed extends Feed {
  readonly title: string;
  readonly items: readonly ReadItem[];
}

/** Reads the text of a feed that was found at this address. */
export function readFeedText(url: string, text: string): ReadFeed {
  const reader = new CseFeedReader({ base: url });
  const titles = reader.write(Buffer.from(text)).map(({ data }) => titleIn(data));
  const { feed, head } = reader.end();
  return {
    lastBuildDate: feed.lastBuildDate,
    title: head.title ?? '',
    items: feed.items.map((item, index) => ({ ...item, title: titles[index] ?? '' })),
  };
}

/** The text of the title in a payload. */
export function titleIn({ children }: Payload): string {
  return /<title[^>]*>([^<]*)/.exec(children.map(({ xml }) => xml).join(''))?.[1] ?? '';
}

/**
 * A tree without its addresses and dates: by the title of each feed its items in order, each with what it
 * links to.
 */
export type TreeView = Readonly<
  Record<string, readonly (readonly [guid: string, title: string, ...links: string[]])[]>
>;

/**
 * Looks through a tree from its root. What is on demand is not looked into. Of a feed in which there is
 * nothing the title does not count: without an item no date sends a plain reader there again.
 * @param read the text at an address; undefined if there is none
 */
export async function viewTree(
  root: string,
  read: (url: string) => Promise<string | undefined> | string | undefined,
): Promise<TreeView> {
  const view: Record<string, [string, string, ...string[]][]> = {};
  const reached = new Set([root]);
  const seen = async ({ url, nestedFeed, onDemand }: Link): Promise<string> => {
    if (onDemand) return nestedFeed ? 'a feed on demand' : 'a file on demand';
    const text = await read(url);
    if (!nestedFeed) return `file ${text}`;
    const feed = text === undefined ? undefined : readFeedText(url, text);
    if (feed === undefined) return 'no feed';
    if (feed.items.length === 0) return 'an empty feed';
    reached.add(url);
    return feed.title;
  };
  for (const url of reached) {
    const text = await read(url);
    if (text === undefined) continue;
    const { title, items } = readFeedText(url, text);
    const rows: [string, string, ...string[]][] = [];
    for (const item of items)
      rows.push([
        item.id,
        item.hidden ? `${item.title}, hidden` : item.title,
        ...(await Promise.all(item.links.map(seen))),
      ]);
    view[title] = rows;
  }
  return view;
}
