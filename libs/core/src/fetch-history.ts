import type { CollectionKey, SubscriptionId } from '#contracts';
import type { Completion, FetchReport } from './subscription.ts';

/** What a fetch took. */
export interface FetchTransfer {
  readonly startedAt: Date;
  /** The HTTP status of the feed, or with which the fetch failed; absent if there was none. */
  readonly status?: number;
  /** How many bytes of documents were read, without their content coding. */
  readonly bytes: number;
}

/** One fetch, as it is remembered. */
export type FetchRecord = FetchTransfer & Omit<FetchReport, 'progress' | 'violations'>;

/** How many fetches of a subscription are remembered. */
export const rememberedFetches = 20;

/** The latest fetches of each subscription; nothing rests on it, and it may be lost. */
export interface FetchHistory {
  /** Remembers those that have a transfer, soon and without a promise. */
  recordFetches(completions: readonly Completion[]): void;
  /** Returns the latest fetches of a subscription with this name, the last one first. */
  recentFetches(collection: CollectionKey, id: SubscriptionId): Promise<FetchRecord[]>;
}

/** The record of a fetch; undefined if it is not known when it started. */
export function fetchRecord({ result: { report, transfer } }: Completion): FetchRecord | undefined {
  if (transfer === undefined) return undefined;
  const { progress: _progress, violations: _violations, ...rest } = report;
  return { ...transfer, ...rest };
}
