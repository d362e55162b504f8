import { feedTreeProtocols } from '#protocols';
import type { ItemExamination, SharingProtocol, TreeExamination } from '#protocol';
import { FormatExamination } from '#xml';
import type { Fragment, Violation } from '#xml';
import type { ReadFeed } from '#plain-feeds';

/** About how many violations are listed of one feed. */
const maximumViolations = 100_000;

/**
 * The items of a feed, counted, with the violations of its format, of its protocol and of those for trees of
 * feeds.
 */
export class ExaminedItems {
  count = 0;
  /** How many have synchronisation data. */
  synced = 0;
  readonly #protocol: SharingProtocol;
  #examination: ItemExamination;
  /** Absent if the feed was mended, for then it is not in the format that it was published in. */
  #format: FormatExamination | undefined = new FormatExamination();
  #trees: readonly TreeExamination[] = [];
  #violations: Violation[] = [];
  #unlisted = { count: 0, line: 1, column: 1 };

  constructor(protocol: SharingProtocol) {
    this.#protocol = protocol;
    this.#examination = protocol.examineItems();
    this.#trees = feedTreeProtocols.map((tree) => tree.examineItems());
  }

  /** Forgets them: the document is mended, and read again. */
  restart(): void {
    this.count = 0;
    this.synced = 0;
    this.#examination = this.#protocol.examineItems();
    this.#format = undefined;
    this.#trees = feedTreeProtocols.map((tree) => tree.examineItems());
    this.#violations = [];
    this.#unlisted = { count: 0, line: 1, column: 1 };
  }

  /** Examines the next item. */
  take(fragment: Fragment): void {
    this.count += 1;
    const { isSynced, violations } = this.#examination.examine(fragment);
    if (isSynced && (fragment.id !== undefined || !fragment.refusal)) this.synced += 1;
    this.#list(violations, fragment);
    this.#list(this.#format?.item(fragment, isSynced) ?? [], fragment);
    for (const tree of this.#trees) tree.examine(fragment);
  }

  /** Lists violations, or counts them if there are too many, of an item at this place. */
  #list(violations: readonly Violation[], { line, column }: Pick<Violation, 'line' | 'column'>): void {
    if (this.#violations.length < maximumViolations) this.#violations.push(...violations);
    else this.#unlisted = { count: this.#unlisted.count + violations.length, line, column };
  }

  /** Whether an item has markup of a tree of feeds, whose items need no synchronisation data. */
  get isOfTree(): boolean {
    return this.#trees.some(({ hasMarkup }) => hasMarkup);
  }

  /** What was found so far, in the head too; `read` is absent if the feed was not read to its end. */
  violations(read?: ReadFeed): readonly Violation[] {
    const ofTrees = this.#trees.flatMap((tree) => tree.violations(read?.head));
    const ofHead = read === undefined ? [] : read.head.violations;
    const ofFormat = (read && this.#format?.head(read.head, read.places)) ?? [];
    return [...this.#violations, ...ofTrees, ...ofHead, ...ofFormat, ...this.#unlistedViolation()];
  }

  /** Says that there are more violations than are listed, at the place of the last item. */
  #unlistedViolation(): readonly Violation[] {
    const { count, line, column } = this.#unlisted;
    if (count === 0) return [];
    const message = `Rules are broken in ${count} more places of this feed, which are not listed.`;
    return [{ rule: 'limit-violations', section: 'limits', message, severity: 'error', line, column }];
  }
}
