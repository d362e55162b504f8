import type { Failure } from '#cse';
import { count, size } from '../terminal/text.ts';
import type { FeedWarning } from './feed-violations.ts';

/** What a run has done. */
export interface SyncSummary {
  /** Documents that are new or have changed; `bytes` is their length together. */
  readonly downloaded: number;
  readonly bytes: number;
  /** Documents that were requested and are as they were. */
  readonly unchanged: number;
  /** Documents that nothing in the tree refers to any more. */
  readonly removed: number;
  /** Documents that the folder holds now. */
  readonly documents: number;
  /** Whether the root feed could be read. */
  readonly rootRead: boolean;
  /** Whether the person asked to stop before all was done. */
  readonly interrupted: boolean;
  readonly failures: readonly Failure[];
  readonly warnings: readonly FeedWarning[];
}

export function summaryLine(
  url: string,
  { downloaded, bytes, unchanged, removed, documents, interrupted, failures }: SyncSummary,
): string {
  const parts = [
    `${downloaded.toLocaleString('en-US')} downloaded (${size(bytes)})`,
    `${unchanged.toLocaleString('en-US')} unchanged`,
    `${removed.toLocaleString('en-US')} removed`,
    `${failures.length.toLocaleString('en-US')} failed`,
  ];
  return (
    `${url}: ${interrupted ? 'interrupted, ' : ''}${parts.join(', ')}; ` +
    `${count(documents, 'document')} ` +
    'in the folder'
  );
}
