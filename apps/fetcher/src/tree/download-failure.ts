import type { Failure } from '#cse';
import { FeedError } from '#xml';
import type { DownloadFailure, FetchError } from '#core';

type Names = readonly (readonly [limit: string, setting: string])[];

/** What the limits of other modules are called in the environment. */
const feedLimits: Names = [
  ['limit "depth"', 'FEED_DEPTH'],
  ['limit "attributes"', 'FEED_ATTRIBUTES'],
  ['limit "itemLength"', 'FEED_ITEM_LENGTH'],
  ['limit "inheritedLength"', 'FEED_INHERITED_LENGTH'],
  ['limit "headLength"', 'FEED_HEAD_LENGTH'],
  ['limit "items"', 'FEED_ITEMS'],
  ['limit "itemLinks"', 'FEED_ITEM_LINKS'],
];
const treeLimits: Names = [
  ['limit "depth"', 'TREE_DEPTH'],
  ['limit "documents"', 'TREE_DOCUMENTS'],
  ['limit "links"', 'TREE_LINKS'],
  ['limit "bytes"', 'TREE_BYTES'],
];

/**
 * Why a download came to nothing, for the document at this URL: the reason does not repeat it, and names the
 * setting of a limit that was passed.
 */
export function downloadFailure(url: string, error: FetchError | FeedError): DownloadFailure {
  if (error instanceof FeedError) {
    const { rule, line, column, message } = error.violation;
    return { rule, reason: `line ${line}, column ${column}: ${inSettings(message, feedLimits)}` };
  }
  return {
    rule: error.rule,
    reason: error.message.startsWith(`${url}: `) ? error.message.slice(url.length + 2) : error.message,
  };
}

/** What a walk says of a document that failed, with its limits as the environment calls them. */
export function walkFailure({ rule, reason }: Failure): DownloadFailure {
  return { rule, reason: inSettings(reason, treeLimits) };
}

function inSettings(reason: string, names: Names): string {
  return names.reduce((text, [limit, setting]) => text.replaceAll(limit, setting), reason);
}
