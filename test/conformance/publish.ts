import { deepStrictEqual } from 'node:assert/strict';
import { compareCodePoints } from '#core';
import type { CollectionSettings } from '#core';
import type { FeedVariant } from '#protocol';
import { CaseEndpoint } from './case-endpoint.ts';
import type { CaseEdits } from './case-endpoint.ts';
import { feeds } from './feed-documents.ts';
import { publishedText } from './published-text.ts';

/** What the feeds must say after a step; what is absent is not compared. */
interface PublishExpectation {
  readonly since?: number;
  readonly until?: number;
  readonly expires?: string;
  readonly feed?: readonly string[];
  readonly completeSince?: number;
  readonly completeUntil?: number;
  readonly complete?: readonly string[];
  readonly related?: readonly string[];
}

/** First time passes, then items are edited, then what is too old is purged. */
interface PublishStep extends CaseEdits {
  readonly pass?: number;
  readonly purge?: boolean;
  readonly expected?: PublishExpectation;
}

export interface PublishOperation {
  readonly operation: 'publish';
  readonly settings?: Partial<CollectionSettings>;
  readonly steps: readonly PublishStep[];
}

/**
 * Publishes step by step and compares the feeds. Throws an AssertionError if they are not as expected, or
 * if `since` or `until` becomes smaller as text.
 */
export async function publish({ settings, steps }: PublishOperation): Promise<void> {
  const endpoint = new CaseEndpoint();
  await endpoint.open(settings);
  let announced = { since: '', until: '' };
  for (const [index, { pass = 0, purge = false, expected = {}, ...edits }] of steps.entries()) {
    endpoint.pass(pass);
    await endpoint.edit(edits);
    if (purge) await endpoint.purge();
    const [partial, complete] = [await published(endpoint, 'partial'), await published(endpoint, 'complete')];
    const isGrowing =
      compareCodePoints(announced.since, partial.since) <= 0 &&
      compareCodePoints(announced.until, partial.until) <= 0;
    deepStrictEqual(
      { step: index + 1, announced, now: partial, isGrowing },
      { step: index + 1, announced, now: partial, isGrowing: true },
    );
    announced = partial;
    const actual: Required<PublishExpectation> = {
      since: Number(partial.since),
      until: Number(partial.until),
      expires: partial.expires,
      feed: partial.ids,
      related: partial.related,
      completeSince: Number(complete.since),
      completeUntil: Number(complete.until),
      complete: complete.ids,
    };
    const compared = Object.fromEntries(Object.entries(actual).filter(([key]) => key in expected));
    deepStrictEqual({ step: index + 1, ...compared }, { step: index + 1, ...expected });
  }
}

async function published(endpoint: CaseEndpoint, variant: FeedVariant) {
  const {
    head: { sharing },
    items,
  } = feeds.text(await publishedText(endpoint, variant));
  const { since = '', until = '', expires = '', related = [] } = sharing ?? {};
  return {
    since,
    until,
    expires,
    related: related.map(({ type }) => type),
    ids: items.map(({ sync }) => sync.id).toSorted(),
  };
}
