import { boundedMessage, FeedError } from '#xml';
import type { Violation } from '#xml';
import type { MergeJob } from '#contracts';
import { ItemSizeError } from '#core';
import type { Collection, SharedContent, Steps } from '#core';
import { checkSignatures, clashViolation } from './check-signatures.ts';
import type { SignedItem } from './check-signatures.ts';
import { uniteVersions } from '#protocol';
import type { SharingProtocol, UnitedVersion } from '#protocol';
import { sharingProtocolOf } from '#protocols';
import { PublishedLengthError } from './published-length.ts';

/** A version of an item, and the fragment it was read from. */
export interface Incoming {
  readonly content: SharedContent;
  readonly fragment: MergeJob['fragments'][number];
}

/** A fragment that was not taken in, and why. */
export interface Rejection {
  readonly fragment: MergeJob['fragments'][number];
  readonly violations: readonly Violation[];
}

/** What merging the versions of one item came to; `last` is the last fragment that was taken in. */
export interface MergedVersions extends SignedItem {
  readonly changed: boolean;
  readonly last: Incoming['fragment'] | undefined;
  readonly rejections: readonly Rejection[];
  readonly violations: readonly Violation[];
}

/** How versions are merged. */
interface MergeTerms {
  readonly isRepeated: boolean;
  readonly accepts: boolean;
}

/**
 * Merges the versions that one document gave of one item, in its order. One of them should subsume the
 * others: two that conflict are the publisher's error (FeedSync, Implementation Notes, Note 2; SSE 2.3), a
 * warning of the protocol's `repeatedItemRule`. A version that someone else has signed as we do is refused
 * (`checkSignatures`).
 * @param local the item as it is here
 * @param isRepeated whether the document has brought the item before
 * @param accepts as `checkSignatures` has it
 */
export function* mergeVersions(
  collection: Collection,
  local: SignedItem,
  versions: readonly Incoming[],
  { isRepeated, accepts }: MergeTerms,
): Steps<MergedVersions> {
  const protocol = sharingProtocolOf(collection);
  const rejections: Rejection[] = [];
  const violations: Violation[] = [];
  let [item, changed, last]: [SignedItem, boolean, Incoming['fragment'] | undefined] = [
    local,
    false,
    undefined,
  ];
  for (const { content: incoming, sources } of yield* unitedVersions(collection, versions)) {
    const [fragment] = sources;
    try {
      const checked = checkSignatures(collection, item, incoming, accepts);
      if ('kind' in checked) {
        for (const rejected of sources)
          rejections.push({
            fragment: rejected,
            violations: [clashViolation(collection, checked, rejected)],
          });
        continue;
      }
      const { content } = checked;
      yield;
      // Alone: conflicts that it brings along may be new without being the publisher's fault.
      const conflicts =
        isRepeated || last !== undefined
          ? protocol.merge(content, { ...incoming, conflicts: [] }).content.conflicts.length
          : 0;
      const merged = protocol.merge(content, incoming);
      if (conflicts > (content?.conflicts.length ?? 0))
        violations.push(repeatedItem(protocol.repeatedItemRule, incoming, fragment));
      changed ||= merged.changed || checked !== item;
      item = { ...checked, content: merged.content };
      last = sources.at(-1) ?? fragment;
      yield;
    } catch (error) {
      for (const rejected of sources)
        rejections.push({
          fragment: rejected,
          violations: [rejectionOf(error, 'merge', protocol.mergeSection, rejected)],
        });
    }
  }
  return { ...item, changed, last, rejections, violations };
}

/** How many versions of one item are merged one by one. */
const maximumSingly = 20;

type United = UnitedVersion<SharedContent, Incoming['fragment']>;

/** The versions, of which those beyond the first that nobody signs as we do are united with each other. */
function* unitedVersions(collection: Collection, versions: readonly Incoming[]): Steps<readonly United[]> {
  const all = versions.map(({ content, fragment }): United => ({ content, sources: [fragment] }));
  if (all.length <= maximumSingly) return all;
  const protocol = sharingProtocolOf(collection);
  const own = [collection.endpoint, ...(collection.retiredEndpoints ?? [])];
  const isForeign = ({ content }: United): boolean =>
    own.every((endpoint) => protocol.signatures(content, endpoint).length === 0);
  const later = all.slice(maximumSingly);
  const united = yield* uniteVersions(
    later.filter(isForeign),
    (one, other) => protocol.merge(one, other).content,
  );
  return [...all.slice(0, maximumSingly), ...later.filter((version) => !isForeign(version)), ...united];
}

/** What an item is refused for that is too large to be stored. */
const itemSizeRule = { rule: 'item-stored-size', section: 'limits' } as const;

/** What an item is refused for that is too long to be published. */
const publishedLengthRule = { rule: 'item-published-length', section: 'limits' } as const;

/** An error that keeps an item out, as a violation at its place; a FeedError says its own rule. */
export function rejectionOf(
  error: unknown,
  rule: string,
  section: string,
  { line, column }: Pick<Violation, 'line' | 'column'>,
): Violation {
  if (error instanceof FeedError) return { ...error.violation, line, column };
  if (error instanceof PublishedLengthError)
    return { ...publishedLengthRule, message: error.message, severity: 'error', line, column };
  if (error instanceof ItemSizeError)
    return { ...itemSizeRule, message: error.message, severity: 'error', line, column };
  return {
    rule,
    section,
    message: boundedMessage(error instanceof Error ? error.message : String(error)),
    severity: 'error',
    line,
    column,
  };
}

function repeatedItem(
  { name, section, severity }: SharingProtocol['repeatedItemRule'],
  { sync: { id } }: SharedContent,
  { line, column }: Incoming['fragment'],
): Violation {
  const message =
    `The item "${id}" stands in this feed more than once, in versions that conflict; ` +
    'of the versions in one feed, one subsumes the others.';
  return { rule: name, section, severity, message: boundedMessage(message), line, column };
}
