import { deepStrictEqual } from 'node:assert/strict';
import type { CollectionSettings } from '#core';
import type { FeedVariant } from '#protocol';
import { CaseEndpoint } from '../case-endpoint.ts';
import type { CaseEdit, CaseEdits } from '../case-endpoint.ts';
import { plainItems, plainTree } from './plain-document.ts';
import type { PlainItem } from './plain-document.ts';
import { publishedText } from '../published-text.ts';
import { sseDocuments } from './sse-documents.ts';

/**
 * What the feeds must say after a step; what is absent is not compared. Dates are RFC 3339; `null` stands for
 * none.
 */
interface SsePublishExpectation {
  readonly since?: string | null;
  readonly until?: string | null;
  readonly version?: string | null;
  readonly window?: number | null;
  readonly feed?: readonly string[];
  readonly related?: readonly string[];
  readonly completeSince?: string | null;
  readonly completeUntil?: string | null;
  readonly complete?: readonly string[];
  /** The ids by how they stand in each other: `a(b c) d`. */
  readonly tree?: string;
  readonly completeTree?: string;
}

/**
 * First time passes, then items are edited and published one by one, then others together, then what is too
 * old is purged.
 */
interface SsePublishStep extends CaseEdits {
  readonly pass?: number;
  readonly together?: readonly CaseEdit[];
  readonly purge?: boolean;
  readonly expected?: SsePublishExpectation;
}

export interface SsePublishOperation {
  readonly operation: 'publish';
  readonly format?: 'rss' | 'opml';
  readonly settings?: Partial<CollectionSettings>;
  readonly steps: readonly SsePublishStep[];
}

/**
 * Publishes step by step and compares the feeds. Throws an AssertionError if they are not as expected, or
 * if `until` does not grow with each edit.
 */
export async function publish({ settings, format = 'rss', steps }: SsePublishOperation): Promise<void> {
  const endpoint = new CaseEndpoint();
  await endpoint.open(settings, { protocol: 'sse', format });
  let announced = '';
  for (const [
    index,
    { pass = 0, together = [], purge = false, expected = {}, ...edits },
  ] of steps.entries()) {
    endpoint.pass(pass);
    await endpoint.edit(edits);
    if (together.length > 0) await endpoint.editTogether(together);
    if (purge) await endpoint.purge();
    const [partial, complete] = [await published(endpoint, 'partial'), await published(endpoint, 'complete')];
    const isEdited = together.length > 0 || Object.keys(edits).length > 0;
    const isGrowing =
      partial.until !== null && (isEdited ? announced < partial.until : announced <= partial.until);
    deepStrictEqual(
      { step: index + 1, announced, until: partial.until, isGrowing },
      { step: index + 1, announced, until: partial.until, isGrowing: true },
    );
    announced = partial.until ?? '';
    const actual: Required<SsePublishExpectation> = {
      ...partial,
      completeSince: complete.since,
      completeUntil: complete.until,
      complete: complete.feed,
      completeTree: complete.tree,
    };
    const compared = Object.fromEntries(Object.entries(actual).filter(([key]) => key in expected));
    deepStrictEqual({ step: index + 1, ...compared }, { step: index + 1, ...expected });
  }
}

async function published(endpoint: CaseEndpoint, variant: FeedVariant) {
  const text = await publishedText(endpoint, variant);
  const { sharing } = sseDocuments.text(text).head;
  const items = plainItems(text);
  const { since = null, until = null, version = null, window = null, related = [] } = sharing ?? {};
  return {
    since,
    until,
    version,
    window,
    feed: idsIn(items).toSorted(),
    tree: plainTree(items),
    related: related.map(({ type }) => type),
  };
}

function idsIn(items: readonly PlainItem[]): string[] {
  return items.flatMap(({ id, below }) => [id, ...idsIn(below)]);
}
