import type { ChangeEvent } from '#contracts';
import { readChanges } from '../change-reader.ts';
import type { ChangeReaderOptions } from '../change-reader.ts';

export type ConsumeOptions = Omit<ChangeReaderOptions, 'signal'> & { readonly signal?: AbortSignal };

/**
 * The change events for a `for await` loop: in order per collection, at least once, without repeated ones. An
 * event is acknowledged when the loop comes back for the next; leaving the loop within its body leaves that
 * event to be delivered again.
 */
export function consumeChanges(options: ConsumeOptions): AsyncGenerator<ChangeEvent, void, undefined> {
  return readChanges({ ...options, signal: options.signal ?? new AbortController().signal });
}
