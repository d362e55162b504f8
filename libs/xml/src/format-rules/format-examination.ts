import { FeedError } from '../feed-error.ts';
import type { FeedHead } from '../feed.ts';
import type { Fragment, Position } from '../fragment.ts';
import type { HeadPlaces } from '../head-parts.ts';
import { atomNamespace } from '../namespace.ts';
import type { Violation } from '../violation.ts';
import { checkEntry, checkFeed, hasAuthor } from './atom-rules.ts';
import { FormatViolations } from './format-violations.ts';
import { locatedItem } from './located.ts';
import type { LocatedElement } from './located.ts';
import { checkChannel, checkItem } from './rss-rules.ts';

/** How many entries without an author are remembered. */
const maximumAuthorless = 1000;

/** Examines the items of one feed, then its head, by the rules of Atom 1.0 (RFC 4287) or RSS 2.0. */
export class FormatExamination {
  /** Entries that have no author unless the feed has one. */
  readonly #authorless: Position[] = [];

  /**
   * Returns the violations of one item; none of one that can't be read, or of an outline.
   * @param isSynced whether it has synchronisation data
   */
  item(fragment: Fragment, isSynced: boolean): readonly Violation[] {
    const item = readable(fragment);
    const violations = new FormatViolations();
    if (item?.format === 'rss') checkItem(item, isSynced, violations);
    if (item?.format !== 'atom') return violations.all;
    checkEntry(item, isSynced, violations);
    const isCounted = !isSynced && this.#authorless.length < maximumAuthorless;
    if (isCounted && !hasAuthor(item)) this.#authorless.push({ line: item.line, column: item.column });
    return violations.all;
  }

  /** Returns the violations of the head, and of entries together with it. */
  head({ format, children, scope }: FeedHead, places: HeadPlaces): readonly Violation[] {
    if (format === 'opml') return [];
    const [, declared = ''] = scope.namespaces.find(([prefix]) => prefix === '') ?? [];
    const head = {
      format,
      namespace: format === 'atom' ? atomNamespace : declared,
      children: children.map((child, index) => ({ ...child, ...(places.children[index] ?? places.head) })),
      scope,
      ...places.head,
    };
    const violations = new FormatViolations();
    if (format === 'rss') checkChannel(head, violations);
    else this.#checkFeed(head, violations);
    return violations.all;
  }

  #checkFeed(feed: LocatedElement, violations: FormatViolations): void {
    checkFeed(feed, violations);
    if (hasAuthor(feed)) return;
    const message = 'An entry has an author, or its source or the feed has one.';
    for (const place of this.#authorless) violations.add(place, 'atom-entry-author', message);
  }
}

function readable(fragment: Fragment): LocatedElement | undefined {
  if (fragment.refusal) return undefined;
  try {
    return locatedItem(fragment);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return undefined;
  }
}
