import type { TreeProgress } from '#core';
import { count, size } from './text.ts';

/** In characters. */
const width = 24;

/** How far the walk through a tree is: a bar and numbers, on one line. */
export function progressBar(progress: TreeProgress): string {
  return `${barOf(progress)} ${progressText(progress)}`;
}

/** A bar that is filled as far as the work is done. */
export function barOf({ done, total }: { readonly done: number; readonly total: number }): string {
  const filled = total === 0 ? 0 : Math.floor((done / total) * width);
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
}

/** The same in words: `12/40 documents, 3.4 MB, 1 failed`. */
export function progressText({ done, total, bytes, failed }: TreeProgress): string {
  return (
    `${done.toLocaleString('en-US')}/${count(total, 'document')}, ` +
    `${size(bytes)}${failed === 0 ? '' : `, ${failed.toLocaleString('en-US')} failed`}`
  );
}
