import type { FeedHead, Fragment, ParseResult, Rule, Violation } from '#xml';
import type { SharedContent } from '#core';

/** Examines the items of one feed, in their order. */
export interface ItemExamination {
  /**
   * Returns the violations of one item, with those that come of it and an earlier one; `isSynced` says
   * whether it has sync data.
   */
  examine(fragment: Fragment): { readonly isSynced: boolean; readonly violations: readonly Violation[] };
}

/** Examines a feed as one of a tree, for which it may or may not be meant. */
export interface TreeExamination {
  examine(fragment: Fragment): void;
  /** Whether an item so far has markup of the protocol. */
  readonly hasMarkup: boolean;
  /**
   * What was found, in no order; nothing if there is no markup. `head` is absent if the feed was not read to
   * its end.
   */
  violations(head?: FeedHead): readonly Violation[];
}

/** A rule with its name. */
export type NamedRule = Rule & { readonly name: string };

/** Examines each item by itself, and whether its id is its own. */
export class ItemsOfOwnIds<Content extends SharedContent> implements ItemExamination {
  /** The line of the first item with an id. */
  readonly #lines = new Map<string, number>();
  readonly #read: (fragment: Fragment) => ParseResult<Content>;
  readonly #rule: NamedRule;
  readonly #repeated: (item: Content, fragment: Fragment) => readonly Violation[];

  /**
   * @param rule the one that says that ids are unique
   * @param repeated called with each item in turn; returns what else it breaks if its id is not its own
   */
  constructor(
    read: (fragment: Fragment) => ParseResult<Content>,
    rule: NamedRule,
    repeated: (item: Content, fragment: Fragment) => readonly Violation[] = () => [],
  ) {
    this.#read = read;
    this.#rule = rule;
    this.#repeated = repeated;
  }

  examine(fragment: Fragment): { isSynced: boolean; violations: readonly Violation[] } {
    const result = this.#read(fragment);
    if (result.kind === 'plain') return { isSynced: false, violations: result.violations };
    if (result.kind === 'rejected') return { isSynced: true, violations: result.violations };
    const { id } = result.item.sync;
    const repeated = this.#repeated(result.item, fragment);
    const line = this.#lines.get(id);
    if (line === undefined) {
      this.#lines.set(id, fragment.line);
      return { isSynced: true, violations: result.violations };
    }
    const first = `the item in line ${line}; an id is unique within its feed`;
    const twice = violationAt(fragment, this.#rule, `the id "${id}" is also that of ${first}`);
    return { isSynced: true, violations: [...result.violations, twice, ...repeated] };
  }
}

/** The violation of a rule by an item as a whole. */
export function violationAt(
  { line, column }: Fragment,
  { name, ...rule }: NamedRule,
  message: string,
): Violation {
  return { rule: name, ...rule, message, line, column };
}
