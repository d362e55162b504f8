import { count } from '../terminal/text.ts';
import type { Failure } from './failure.ts';
import type { FeedWarning } from './feed-breaches.ts';

/** What a run has done. */
export interface SyncSummary {
  /** Documents that are new or have changed; `bytes` is their length together. */
  readonly downloaded: number;
  readonly bytes: number;
  /** Documents that were asked for and are as they were. */
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

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people: `512 B`, `3.4 MB`. */
export function size(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${unit === 0 ? String(bytes) : (bytes / 1000 ** unit).toFixed(1)} ${units[unit] ?? ''}`;
}

/** How far a run is: a bar and numbers, on one line. */
export function progressLine({ done, total, bytes, failed }: { readonly done: number; readonly total: number; readonly bytes: number; readonly failed: number }): string {
  const width = 24;
  const filled = total === 0 ? 0 : Math.floor((done / total) * width);
  const bar = '#'.repeat(filled) + '-'.repeat(width - filled);
  return `[${bar}] ${done.toLocaleString('en-US')}/${count(total, 'document')}, ${size(bytes)}${failed === 0 ? '' : `, ${failed.toLocaleString('en-US')} failed`}`;
}

export function summaryLine(url: string, { downloaded, bytes, unchanged, removed, documents, interrupted, failures }: SyncSummary): string {
  const parts = [`${downloaded.toLocaleString('en-US')} downloaded (${size(bytes)})`, `${unchanged.toLocaleString('en-US')} unchanged`, `${removed.toLocaleString('en-US')} removed`, `${failures.length.toLocaleString('en-US')} failed`];
  return `${url}: ${interrupted ? 'interrupted, ' : ''}${parts.join(', ')}; ${count(documents, 'document')} in the folder`;
}
