import type { Steps } from '#core';

/** Feeds of a tree, each with those that link to it as a nested feed. */
type FeedParents = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The feeds in the order in which a date is carried up to them (Content Sync Extensions, "Propagating the
 * lastBuildDate to parent feeds"): a feed stands in a later level than every feed that is nested in it,
 * however many ways lead there. Feeds that are nested in one another in a circle have no order among
 * themselves and stand in one level. Yields after every step.
 * @param parents all the feeds: every parent is a key too
 */
export function* feedLevels(parents: FeedParents): Steps<string[][]> {
  const children = yield* nestedFeeds(parents);
  const levels: string[][] = [];
  const placed = new Map<string, number>();
  const seen = new Set<string>();
  // Kosaraju: in the reverse of this order, what can be reached downwards and was not seen before is one
  // circle.
  const order = yield* visited(parents.keys(), (feed) => parents.get(feed));
  for (const feed of order.reverse()) {
    const circle = yield* visited([feed], (member) => children.get(member), seen);
    if (circle.length === 0) continue;
    let level = 0;
    for (const member of circle) {
      for (const child of children.get(member) ?? []) level = Math.max(level, (placed.get(child) ?? -1) + 1);
      yield;
    }
    const feeds = (levels[level] ??= []);
    for (const member of circle) {
      placed.set(member, level);
      feeds.push(member);
      yield;
    }
  }
  return levels;
}

function* nestedFeeds(parents: FeedParents): Steps<Map<string, string[]>> {
  const children = new Map<string, string[]>();
  for (const feed of parents.keys()) {
    children.set(feed, []);
    yield;
  }
  for (const [feed, above] of parents) {
    for (const parent of above) children.get(parent)?.push(feed);
    yield;
  }
  return children;
}

/**
 * Goes depth first from the starts to all that was not seen before; returns each feed after those that were
 * reached from it.
 */
function* visited(
  starts: Iterable<string>,
  next: (feed: string) => Iterable<string> | undefined,
  seen = new Set<string>(),
): Steps<string[]> {
  const left: string[] = [];
  for (const start of starts) {
    const path: { readonly feed: string; readonly rest: Iterator<string> }[] = [];
    const enter = (feed: string): void => {
      if (seen.has(feed)) return;
      seen.add(feed);
      path.push({ feed, rest: (next(feed) ?? [])[Symbol.iterator]() });
    };
    enter(start);
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      yield;
      const step = here.rest.next();
      if (!step.done) enter(step.value);
      else {
        left.push(here.feed);
        path.pop();
      }
    }
  }
  return left;
}
