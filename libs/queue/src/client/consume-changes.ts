import type { ChangeEvent } from '#contracts';
import { ChangeReader } from '../changes/change-reader.ts';
import type { ChangeReaderOptions } from '../changes/change-reader-options.ts';

export type ConsumeOptions = Omit<ChangeReaderOptions, 'signal'> & { readonly signal?: AbortSignal };

/**
 * The change events for a `for await` loop: in order per collection, at least once, without repeated ones. An
 * event is acknowledged when the loop comes back for the next; leaving the loop within its body leaves that
 * event to be delivered again.
 * @throws ChangeGapError if changes are lost; the message explains how to start over
 */
export async function* consumeChanges(options: ConsumeOptions): AsyncGenerator<ChangeEvent, void, undefined> {
  const { signal = new AbortController().signal } = options;
  if (signal.aborted) return;
  for await (const delivery of new ChangeReader({ ...options, signal }).deliveries()) {
    let isHandled = false;
    try {
      yield delivery.event;
      isHandled = true;
    } finally {
      if (!isHandled) delivery.drop();
    }
    await delivery.done();
  }
}
