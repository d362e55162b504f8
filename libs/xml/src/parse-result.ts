import { FeedError } from './feed-error.ts';
import { positionInFeed } from './fragment.ts';
import type { Fragment } from './fragment.ts';
import type { Payload } from './payload.ts';
import type { Violation } from './violation.ts';
import type { Steps } from './steps.ts';

/** What a fragment turned out to be, by the rules of a protocol. */
export type ParseResult<Item> =
  /** An item of the protocol; `violations` are warnings. */
  | { readonly kind: 'item'; readonly item: Item; readonly violations: readonly Violation[] }
  /**
   * An item without `sx:sync`, which takes no part in the synchronisation (FeedSync 2.4, SSE 2.3);
   * `violations` are warnings.
   */
  | { readonly kind: 'plain'; readonly payload: Payload; readonly violations: readonly Violation[] }
  /** An item that breaks a rule; `violations` are all that were found, warnings too. */
  | { readonly kind: 'rejected'; readonly violations: readonly Violation[] };

/**
 * Reads an item in steps; what ends the reading is its rejection, with the place in the feed, and so is a
 * limit for which it was not cut out.
 */
export function* rejectBroken<Item>(
  fragment: Fragment,
  read: () => Steps<ParseResult<Item>>,
): Steps<ParseResult<Item>> {
  if (fragment.refusal) return { kind: 'rejected', violations: [fragment.refusal.violation] };
  try {
    return yield* read();
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    const violation = { ...error.violation, ...positionInFeed(fragment, error.violation) };
    return { kind: 'rejected', violations: [violation] };
  }
}

/** The error for a fragment whose element is no item. */
export function notAnItem(section: string, message: string): FeedError {
  return new FeedError({ rule: 'item-root', section, message, line: 1, column: 1 });
}
