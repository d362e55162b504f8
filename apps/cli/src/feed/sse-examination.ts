import { readSseItem } from '#feed-xml';
import type { Breach, Fragment } from '#feed-xml';
import { breachAt } from './breach-at.ts';
import type { ItemExamination } from './item-examination.ts';

/**
 * The items of a feed of SSE, or the outlines of a document: each by itself, and whether its id is its own
 * (2.3).
 */
export class SseExamination implements ItemExamination {
  /** By id the line of the first item that has it. */
  readonly #lines = new Map<string, number>();

  examine(fragment: Fragment): { isSynced: boolean; breaches: readonly Breach[] } {
    const reading = readSseItem(fragment);
    const isSynced = reading.kind !== 'plain';
    if (reading.kind !== 'item') return { isSynced, breaches: reading.breaches };
    const { id } = reading.item.sync;
    const line = this.#lines.get(id);
    if (line !== undefined)
      return {
        isSynced,
        breaches: [
          ...reading.breaches,
          breachAt(
            fragment,
            'sse-sync-id-unique',
            `the id "${id}" is also that of the item in line ${line}; an id is unique within its feed`,
          ),
        ],
      };
    this.#lines.set(id, fragment.line);
    return { isSynced, breaches: reading.breaches };
  }
}
