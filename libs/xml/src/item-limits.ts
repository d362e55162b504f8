import type { Fragment } from './fragment.ts';
import { maximumIdentifierLength } from './identifier.ts';
import type { ItemLength } from './item-length.ts';
import type { ViolationList } from './violation-list.ts';

/** Limits on what one item may say of itself. */
export interface ItemLimits {
  /** How long `id` and `by` may be, in UTF-16 code units (default 4096); 2.1.3 allows such a limit. */
  readonly identifierLength: number;
}

export const defaultItemLimits: ItemLimits = { identifierLength: maximumIdentifierLength };

/** What the reading of one fragment goes by. */
export interface ReadingContext<Name extends string> {
  readonly fragment: Pick<Fragment, 'xml'>;
  readonly violations: ViolationList<Name>;
  readonly limits: ItemLimits;
  readonly length: ItemLength;
}
