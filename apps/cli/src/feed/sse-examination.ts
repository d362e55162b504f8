import { readSseItem, sseRules } from '#sse';
import type { Violation, Fragment } from '#xml';
import { violationAt } from './violation-at.ts';
import type { ItemExamination } from './item-examination.ts';

/**
 * The items of a feed of SSE, or the outlines of a document: each by itself, and whether its id is its own
 * (2.3).
 */
export class SseExamination implements ItemExamination {
  /** By id the line of the first item that has it. */
  readonly #lines = new Map<string, number>();

  examine(fragment: Fragment): { isSynced: boolean; violations: readonly Violation[] } {
    const reading = readSseItem(fragment);
    const isSynced = reading.kind !== 'plain';
    if (reading.kind !== 'item') return { isSynced, violations: reading.violations };
    const { id } = reading.item.sync;
    const line = this.#lines.get(id);
    if (line !== undefined)
      return {
        isSynced,
        violations: [
          ...reading.violations,
          violationAt(
            fragment,
            sseRules,
            'sse-sync-id-unique',
            `the id "${id}" is also that of the item in line ${line}; an id is unique within its feed`,
          ),
        ],
      };
    this.#lines.set(id, fragment.line);
    return { isSynced, violations: reading.violations };
  }
}
