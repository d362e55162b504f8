import type { BranchView, TreeFeedView, TreePageView } from '#contracts';
import { collectionPath } from './service.ts';
import type { Service } from './service.ts';

export interface TreeBounds {
  /** How many levels of nested feeds are read below the first feed. */
  readonly depth: number;
  /** How many feeds are read. */
  readonly maximumFeeds: number;
}

/** A feed with all its items, `depth` levels below the first one. */
interface TreeBranch {
  readonly depth: number;
  readonly feed: TreeFeedView;
  readonly items: readonly BranchView[];
}

/** Why a nested feed is not read where it stands: it has been before, or is out of bounds. */
type PassedOver = 'shown above' | 'not shown (--depth)' | 'not shown (--maximum-feeds)';

/**
 * What is met on the way through a tree: each feed before its items, and each item before the feed that is
 * nested in it.
 */
export type TreeStep =
  | ({ readonly kind: 'feed' } & TreeBranch)
  | {
      readonly kind: 'item';
      readonly depth: number;
      readonly item: BranchView;
      readonly passedOver?: PassedOver;
    };

/**
 * Reads a tree from a feed on, each feed once. In memory are no more than the feeds that the present one is
 * nested in. Throws as `Service` does.
 */
export async function* readTree(
  service: Service,
  collection: string,
  first: string,
  { depth: maximumDepth, maximumFeeds }: TreeBounds,
): AsyncGenerator<TreeStep> {
  const seen = new Set([first]);
  const root = await readBranch(service, collection, first, 0);
  yield { kind: 'feed', ...root };
  const open = [{ depth: 0, items: root.items.values() }];
  for (let here = open.at(-1); here !== undefined; here = open.at(-1)) {
    const { depth, items } = here;
    const { value: item, done } = items.next();
    if (done === true) {
      open.pop();
      continue;
    }
    const nested = nestedFeed(item);
    const passedOver = nested === undefined ? undefined : reasonToPass(nested, depth);
    yield { kind: 'item', depth, item, ...(passedOver && { passedOver }) };
    if (nested === undefined || passedOver !== undefined) continue;
    seen.add(nested);
    const branch = await readBranch(service, collection, nested, depth + 1);
    yield { kind: 'feed', ...branch };
    open.push({ depth: depth + 1, items: branch.items.values() });
  }

  function reasonToPass(feed: string, depth: number): PassedOver | undefined {
    if (seen.has(feed)) return 'shown above';
    if (depth >= maximumDepth) return 'not shown (--depth)';
    return seen.size >= maximumFeeds ? 'not shown (--maximum-feeds)' : undefined;
  }
}

/** The feed that an item nests, if it is here. */
function nestedFeed({ links }: BranchView): string | undefined {
  return links.find(({ feed, state }) => feed !== undefined && state !== undefined)?.feed;
}

async function readBranch(
  service: Service,
  collection: string,
  id: string,
  depth: number,
): Promise<TreeBranch> {
  const items: BranchView[] = [];
  let feed: TreeFeedView | undefined;
  for await (const page of service.pages<TreePageView>(
    `${collectionPath(collection, 'tree')}?${new URLSearchParams({ feed: id }).toString()}`,
  )) {
    feed = page.feed;
    items.push(...page.items);
  }
  if (feed === undefined) throw new TypeError('a list without a page');
  return { depth, feed, items };
}
