import type { DownloadFailure } from '#core';
import { FeedError } from '#xml';
import { downloadFailure, namingSettings } from '#core';
import type { FetchError, LimitNames } from '#core';

/** What the limits of other modules are called in the environment. */
const feedLimits: LimitNames = [
  ['limit "depth"', 'FEED_DEPTH'],
  ['limit "attributes"', 'FEED_ATTRIBUTES'],
  ['limit "itemLength"', 'FEED_ITEM_LENGTH'],
  ['limit "inheritedLength"', 'FEED_INHERITED_LENGTH'],
  ['limit "headLength"', 'FEED_HEAD_LENGTH'],
  ['limit "items"', 'FEED_ITEMS'],
  ['limit "itemLinks"', 'FEED_ITEM_LINKS'],
];
const treeLimits: LimitNames = [
  ['limit "depth"', 'TREE_DEPTH'],
  ['limit "documents"', 'TREE_DOCUMENTS'],
  ['limit "links"', 'TREE_LINKS'],
  ['limit "bytes"', 'TREE_BYTES'],
];

/** Why a download failed, with its limits as the environment calls them. */
export function failureOf(url: string, error: FetchError | FeedError): DownloadFailure {
  return downloadFailure(url, error, error instanceof FeedError ? feedLimits : []);
}

/** What a walk says of a document that failed, with its limits as the environment calls them. */
export function walkFailure({ rule, reason }: DownloadFailure): DownloadFailure {
  return { rule, reason: namingSettings(reason, treeLimits) };
}
