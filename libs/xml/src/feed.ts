import type { Violation } from './violation.ts';
import type { Child, Format, Scope } from './payload.ts';
import type { Syndication } from './syndication.ts';

/** `sx:related` (FeedSync 2.3, SSE 2.2): a feed that belongs to this one. */
export interface Related {
  readonly link: string;
  readonly type: 'complete' | 'aggregated';
  readonly title?: string;
  /** In SSE only, RFC 3339: where the related feed begins and ends. */
  readonly since?: string;
  readonly until?: string;
}

/**
 * `sx:sharing` (FeedSync 2.2, SSE 2.1): what a publisher says to the subscriber that asked; never
 * republished.
 */
export interface Sharing {
  /** Texts that sort by code point; in SSE RFC 3339 (the documents have RFC 822). */
  readonly since?: string;
  readonly until?: string;
  /** In SSE only: the version of the specification, and for how many days changes stay in the feed. */
  readonly version?: string;
  readonly window?: number;
  /** RFC 3339, whole seconds, UTC. */
  readonly expires?: string;
  readonly related: readonly Related[];
}

/** A feed without its items. */
export interface FeedHead {
  readonly format: Format;
  readonly title?: string;
  readonly sharing?: Sharing;
  /** RSS `ttl` in minutes, if given. */
  readonly ttl?: number;
  /** How often it says that it is updated, in whichever format. */
  readonly syndication?: Syndication;
  /**
   * Every child of `feed`, `channel` or (in OPML) `head` that is neither an item nor `sx:sharing`, and the
   * scope to read them in.
   */
  readonly children: readonly Child[];
  readonly scope: Scope;
  /** Where the head departs from the rules of its dialect: warnings. */
  readonly violations: readonly Violation[];
}
