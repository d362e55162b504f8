import { FeedError } from '#xml';
import type { Violation, FeedHead, Fragment } from '#xml';
import type { TreeExamination } from '#protocol';
import { CseItemsReader } from '../xml/items-reader.ts';
import { cseNamespace } from '../xml/namespace.ts';

/** Only whether a link is a URL at all is asked, which does not depend on where the feed stands. */
const anywhere = 'http://feed.invalid/';

/** How many violations are kept; they count only once markup of this protocol is found. */
const maximumViolations = 100_000;

/**
 * The items of a feed as one of a tree (Content Sync Extensions): only a feed with markup of it in an item is
 * taken for one.
 */
export class CseExamination implements TreeExamination {
  readonly #violations: Violation[] = [];
  readonly #items = new CseItemsReader(anywhere);
  #hasMarkup = false;

  examine(fragment: Fragment): void {
    this.#hasMarkup ||= hasMarkup(fragment.xml);
    const found = violationsOf(() => this.#items.read(fragment));
    if (this.#violations.length < maximumViolations) this.#violations.push(...found);
  }

  /** Whether an item has markup of Content Sync Extensions. */
  get hasMarkup(): boolean {
    return this.#hasMarkup;
  }

  /** What was found, in no order; `head` is absent if the feed was not read to its end. */
  violations(head?: FeedHead): readonly Violation[] {
    if (!this.#hasMarkup) return [];
    return head === undefined
      ? this.#violations
      : [...this.#violations, ...violationsOf(() => this.#items.end(head))];
  }
}

/** None of what is not RSS, which is no feed of a tree. */
function violationsOf(read: () => { readonly violations: readonly Violation[] }): readonly Violation[] {
  try {
    return read().violations;
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return error.violation.rule === 'cse-format' ? [] : [error.violation];
  }
}

/** How many prefixes are looked for: as many as an element may declare. */
const maximumPrefixes = 256;

/**
 * Whether an element or attribute of the namespace stands in an item; the declaration alone may come from the
 * root of its feed.
 */
function hasMarkup(xml: string): boolean {
  if (!xml.includes(cseNamespace)) return false;
  const prefixes = new Set<string | undefined>();
  for (const [, prefix, namespace] of xml.matchAll(
    /xmlns(?::([^\s=:]{1,1000}))?\s{0,100}=\s{0,100}["']([^"']*)["']/g,
  )) {
    if (namespace === cseNamespace) prefixes.add(prefix);
    if (prefixes.size === maximumPrefixes) break;
  }
  return [...prefixes].some(
    (prefix) => prefix === undefined || xml.includes(`<${prefix}:`) || xml.includes(` ${prefix}:`),
  );
}
