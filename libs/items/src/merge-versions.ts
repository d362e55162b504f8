import { boundedMessage, FeedError, rules } from '#feed-xml';
import type { Breach, RuleName } from '#feed-xml';
import type { MergeJob } from '#messages';
import { ItemSizeError } from '#ports';
import type { SharedCollection, SharedContent } from '#ports';
import { checkSignatures, clashBreach } from './check-signatures.ts';
import type { SignedItem } from './check-signatures.ts';
import { sharingProtocolOf } from './protocols.ts';

/** A version of an item, and the fragment it was read from. */
export interface Incoming {
  readonly content: SharedContent;
  readonly fragment: MergeJob['fragments'][number];
}

/** A fragment that was not taken in, and why. */
export interface Rejection {
  readonly fragment: MergeJob['fragments'][number];
  readonly breaches: readonly Breach[];
}

/** What merging the versions of one item came to; `last` is the last fragment that was taken in. */
export interface MergedVersions extends SignedItem {
  readonly changed: boolean;
  readonly last: Incoming['fragment'] | undefined;
  readonly rejections: readonly Rejection[];
  readonly breaches: readonly Breach[];
}

/** How versions are merged. */
interface MergeTerms {
  readonly isRepeated: boolean;
  readonly accepts: boolean;
}

/**
 * Merges the versions that one document gave of one item, in its order. One of them should subsume the others: two that conflict
 * are the publisher's error (FeedSync, Implementation Notes, Note 2; SSE 2.3), a warning of the protocol's `repeatedItemRule`.
 * A version that someone else has signed as we do is refused (`checkSignatures`).
 * @param local the item as it is here
 * @param isRepeated whether the document has brought the item before
 * @param accepts as `checkSignatures` has it
 */
export function mergeVersions(collection: SharedCollection, local: SignedItem, versions: readonly Incoming[], { isRepeated, accepts }: MergeTerms): MergedVersions {
  const protocol = sharingProtocolOf(collection);
  const rejections: Rejection[] = [];
  const breaches: Breach[] = [];
  let [item, changed, last]: [SignedItem, boolean, Incoming['fragment'] | undefined] = [local, false, undefined];
  for (const { content: incoming, fragment } of versions) {
    try {
      const checked = checkSignatures(collection, item, incoming, accepts);
      if ('kind' in checked) {
        rejections.push({ fragment, breaches: [clashBreach(collection, checked, fragment)] });
        continue;
      }
      const { content } = checked;
      // Alone: conflicts that it brings along may be new without being the publisher's fault.
      const conflicts = isRepeated || last !== undefined ? protocol.merge(content, { ...incoming, conflicts: [] }).content.conflicts.length : 0;
      const merged = protocol.merge(content, incoming);
      if (conflicts > (content?.conflicts.length ?? 0)) breaches.push(repeatedItem(protocol.repeatedItemRule, incoming, fragment));
      changed ||= merged.changed || checked !== item;
      item = { ...checked, content: merged.content };
      last = fragment;
    } catch (error) {
      rejections.push({ fragment, breaches: [rejectionOf(error, 'merge', protocol.mergeSection, fragment)] });
    }
  }
  return { ...item, changed, last, rejections, breaches };
}

/** What an item is refused for that is too large to be stored. */
export const itemSizeRule = { rule: 'item-stored-size', section: 'limits' } as const;

/** An error that keeps an item out, as a breach at its place; a FeedError says its own rule. */
export function rejectionOf(error: unknown, rule: string, section: string, { line, column }: Pick<Breach, 'line' | 'column'>): Breach {
  if (error instanceof FeedError) return { ...error.breach, line, column };
  if (error instanceof ItemSizeError) return { ...itemSizeRule, message: error.message, severity: 'error', line, column };
  return { rule, section, message: boundedMessage(error instanceof Error ? error.message : String(error)), severity: 'error', line, column };
}

function repeatedItem(rule: RuleName, { sync: { id } }: SharedContent, { line, column }: Incoming['fragment']): Breach {
  const message = `The item "${id}" stands in this feed more than once, in versions that conflict; of the versions in one feed, one subsumes the others.`;
  return { rule, ...rules[rule], message: boundedMessage(message), line, column };
}
