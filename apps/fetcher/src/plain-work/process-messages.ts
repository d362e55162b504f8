import type { BrokenDocument, MendedFeed } from '#plain-feeds';
import type { Fragment, Violation } from '#xml';
import type { AdoptedPart, PlainFeed } from './plain-work.ts';

/**
 * What the process for plain feeds is told, about one feed at a time: parts of it, which are not answered,
 * then what to do with them, then to send what came of it, part by part.
 */
export type ProcessRequest =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'items'; readonly items: readonly Fragment[] }
  | {
      readonly kind: 'mend';
      readonly document: Omit<BrokenDocument, 'error'> & { readonly violation: Violation };
    }
  | ({ readonly kind: 'adopt' } & Omit<PlainFeed, 'items'>)
  | { readonly kind: 'next' };

export type ProcessAnswer =
  /** That it was mended; its pieces follow. */
  | ({ readonly kind: 'mended' } & Omit<MendedFeed, 'pieces'>)
  /** Without a violation: that of the request. */
  | { readonly kind: 'refused'; readonly violation?: Violation }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | ({ readonly kind: 'adopted' } & AdoptedPart)
  | { readonly kind: 'end' };
