import type { BrokenDocument, MendedFeed } from '#plain-feeds';
import type { Fragment, Violation } from '#xml';
import type { PlainFeed } from './plain-work.ts';

/** What the thread for plain feeds is told. All but `hold` is answered. */
export type ThreadRequest =
  | {
      readonly kind: 'mend';
      readonly bytes: Uint8Array;
      readonly document: Omit<BrokenDocument, 'error'> & { readonly violation: Violation };
    }
  /** Further items of a feed that is adopted by `adopt`. */
  | { readonly kind: 'hold'; readonly items: readonly Fragment[] }
  | ({ readonly kind: 'adopt' } & Omit<PlainFeed, 'items'>)
  /** The next items of the feed that was adopted last. */
  | { readonly kind: 'next' };

export type ThreadAnswer =
  | ({ readonly kind: 'mended' } & MendedFeed)
  /** Without a violation: that of the request. */
  | { readonly kind: 'refused'; readonly violation?: Violation }
  | { readonly kind: 'items'; readonly items: readonly Fragment[] }
  | { readonly kind: 'end' };
