import type { Link } from '../engine/feed.ts';

/** One csx:link as it stands in the payload of an item. */
export interface LinkOccurrence extends Link {
  readonly place: LinkPlace;
}

/** Where the content of a csx:link stands: all between its tags, to be replaced as a whole. */
export interface LinkPlace {
  /** The number of the payload's child that it is, or is in, from 0. */
  readonly child: number;
  /** In the child's XML, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}
