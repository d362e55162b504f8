import { deepStrictEqual } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { subscriptionId } from '#core';
import type { CaseEdits, CaseEndpoint } from './case-endpoint.ts';
import type { CaseDocuments } from './case-file/case-documents.ts';

type Read = 'feed' | 'unchanged' | 'complete';

/** What a reading must come to. `nextRead` is compared if it is given. */
interface SubscribeExpectation {
  readonly until?: string;
  readonly reads: readonly Read[];
  readonly items: readonly string[];
  readonly resynced?: boolean;
  readonly discarded?: number;
  readonly failed?: boolean;
  readonly violations?: readonly string[];
  readonly nextRead?: string;
}

/** First items are edited here, then the feed is read. */
interface SubscribeStep {
  readonly publisher?: string;
  readonly feed: string;
  readonly complete?: string;
  readonly edits?: CaseEdits;
  readonly expected: SubscribeExpectation;
}

export interface SubscribeOperation {
  readonly operation: 'subscribe';
  readonly steps: readonly SubscribeStep[];
}

/** Reads feeds step by step on an endpoint that is open, and compares it after each. */
export async function subscribe(
  { documents, steps }: SubscribeOperation & { readonly documents: CaseDocuments },
  endpoint: CaseEndpoint,
): Promise<void> {
  const served = new Set(['expected.xml', ...steps.flatMap(({ feed, complete }) => [feed, complete])]);
  const idle = documents.names.filter((name) => !served.has(name));
  if (idle.length > 0) throw new Error(`no step serves ${idle.join(', ')}`);
  for (const [index, step] of steps.entries()) {
    const { expected } = step;
    const { nextRead, ...outcome } = await perform(endpoint, documents, step);
    compare(
      { step: index + 1, ...outcome, ...(expected.nextRead !== undefined && { nextRead }) },
      {
        step: index + 1,
        until: undefined,
        resynced: false,
        discarded: 0,
        failed: false,
        violations: [],
        ...expected,
      },
    );
  }
}

/**
 * What the store gives out may be of another realm than the test's, with other prototypes; copies of both are
 * of one.
 */
function compare(actual: unknown, expected: unknown): void {
  deepStrictEqual(structuredClone(actual), structuredClone(expected));
}

async function perform(
  endpoint: CaseEndpoint,
  documents: CaseDocuments,
  { publisher = 'publisher', feed, complete, edits = {} }: SubscribeStep,
): Promise<Required<Omit<SubscribeExpectation, 'until'>> & { until?: string }> {
  await endpoint.edit(edits);
  const reads: Read[] = [];
  const serve = (document: 'feed' | 'complete', name: string | undefined): string => {
    const url = `http://${publisher}.example/${document}`;
    const body = name === undefined ? undefined : documents.text(name);
    const etag = `"${createHash('sha256')
      .update(body ?? '')
      .digest('hex')}"`;
    endpoint.http.serve(url, (request) => {
      reads.push(request.etag === etag ? 'unchanged' : document);
      return body === undefined ? { status: 404 } : { status: 200, headers: { etag }, body };
    });
    return url;
  };
  serve('complete', complete);
  const before = endpoint.events.events.length;
  const { cursor, last, nextFetchAt } = await endpoint.read(subscriptionId(publisher), serve('feed', feed));
  const resyncs = endpoint.events.events
    .slice(before)
    .filter((event) => event.type === 'feedmesh.subscription.resynced.v1');
  return {
    until: cursor.until,
    reads,
    items: (await endpoint.items()).map(({ id }) => id),
    resynced: resyncs.length > 0,
    discarded: resyncs.reduce((sum, { data }) => sum + data.discarded, 0),
    failed: last?.outcome === 'failed',
    violations: (last?.violations ?? []).map(({ rule }) => rule),
    nextRead: nextFetchAt.toISOString(),
  };
}
