import type { Breach } from './breach.ts';
import type { Child, Format, Scope } from './payload.ts';

/** `sx:related` (2.3): a feed that belongs to this one. */
export interface Related {
  readonly link: string;
  readonly type: 'complete' | 'aggregated';
  readonly title?: string;
}

/** `sx:sharing` (2.2): what a publisher says to the subscriber that asked; never republished. */
export interface Sharing {
  readonly since?: string;
  readonly until?: string;
  /** RFC 3339, whole seconds, UTC. */
  readonly expires?: string;
  readonly related: readonly Related[];
}

/** A feed without its items. */
export interface FeedHead {
  readonly format: Format;
  readonly title?: string;
  readonly sharing?: Sharing;
  /** RSS `ttl` in minutes, where given. */
  readonly ttl?: number;
  /** Every child of `feed` or `channel` that is neither an item nor `sx:sharing`, and the scope to read them in. */
  readonly children: readonly Child[];
  readonly scope: Scope;
  /** Where the head departs from the rules of FeedSync: warnings. */
  readonly breaches: readonly Breach[];
}
