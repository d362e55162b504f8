import type { ItemExamination } from '#protocol';
import { feedTreeProtocols } from '#protocols';
import { FeedError } from '#xml';
import type { Violation, FeedHead, Fragment } from '#xml';
import { scanFeed } from './scan-feed.ts';
import type { SourceBytes } from './source.ts';

/** What a feed holds and where it departs from the rules. */
export interface Examination {
  /** Absent if the document could not be read to its end. */
  readonly format?: FeedHead['format'];
  readonly items: number;
  /** How many of the items have sync data. */
  readonly syncedItems: number;
  /**
   * How many have none, so that a subscription leaves them out; 0 of a feed of a tree, which needs none.
   */
  readonly plainItems: number;
  /** In the order of their places. */
  readonly violations: readonly Violation[];
}

/** About how many violations are listed of one feed. */
const maximumViolations = 100_000;

/**
 * Reads a feed to its end, or to where it stops being one, and collects every violation: of the
 * synchronisation data of its items by its protocol, and of protocols for trees of feeds if an item has any.
 * @param progress called with the number of items read so far
 * @throws CommandError if the bytes can't be read
 */
export async function examineFeed(
  bytes: SourceBytes,
  progress: (items: number) => void,
): Promise<Examination> {
  const violations: Violation[] = [];
  let items = 0;
  let syncedItems = 0;
  const unlisted = { count: 0, line: 1, column: 1 };
  const trees = feedTreeProtocols.map((protocol) => protocol.examineItems());
  const counts = (): Pick<Examination, 'items' | 'syncedItems' | 'plainItems'> => ({
    items,
    syncedItems,
    plainItems: trees.some(({ hasMarkup }) => hasMarkup) ? 0 : items - syncedItems,
  });
  const takeWith =
    (examination: ItemExamination) =>
    (fragment: Fragment): void => {
      progress((items += 1));
      const { isSynced, violations: found } = examination.examine(fragment);
      if (isSynced) syncedItems += 1;
      if (violations.length < maximumViolations) violations.push(...found);
      else
        Object.assign(unlisted, {
          count: unlisted.count + found.length,
          line: fragment.line,
          column: fragment.column,
        });
      for (const tree of trees) tree.examine(fragment);
    };
  const ofTrees = (head?: FeedHead): Violation[] => trees.flatMap((tree) => tree.violations(head));
  const listed = (...more: readonly (readonly Violation[])[]): Violation[] =>
    [...violations, ...more.flat(), ...unlistedViolation(unlisted)].sort(byPlace);
  try {
    const head = await scanFeed(bytes, (protocol) => takeWith(protocol.examineItems()));
    return { format: head.format, ...counts(), violations: listed(ofTrees(head), head.violations) };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { ...counts(), violations: listed(ofTrees(), [error.violation]) };
  }
}

/** Says that there are more violations than are listed, at the place of the last item. */
function unlistedViolation({
  count,
  line,
  column,
}: Readonly<Record<'count' | 'line' | 'column', number>>): readonly Violation[] {
  if (count === 0) return [];
  const message = `Rules are broken in ${count} more places of this feed, which are not listed.`;
  return [{ rule: 'limit-violations', section: 'limits', message, severity: 'error', line, column }];
}

function byPlace(a: Violation, b: Violation): number {
  return a.line - b.line || a.column - b.column;
}
