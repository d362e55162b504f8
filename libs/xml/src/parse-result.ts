import type { Payload } from './payload.ts';
import type { Violation } from './violation.ts';

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
