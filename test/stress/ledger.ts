import type { ItemEvent } from '#contracts';
import type { ShownItem } from './installation.ts';

/** A mark that a write leaves in the content of an item, unique in the story. */
export type Mark = `mark-${number}`;

const marks = /\bmark-\d+\b/g;

/** The marks that an item holds, in its current version and in those in conflict with it. */
export function marksOf({ content = '', conflicts }: Pick<ShownItem, 'content' | 'conflicts'>): Set<string> {
  const versions = [content, ...conflicts.map((conflict) => JSON.stringify(conflict))];
  return new Set(versions.flatMap((version) => version.match(marks) ?? []));
}

/** A write that was acknowledged: with what the item was after it. */
interface AcknowledgedWrite extends Pick<ShownItem, 'id' | 'sync' | 'revision'> {
  readonly collection: string;
  /** Absent if it deleted the item. */
  readonly mark?: Mark;
}

/** The writes that were acknowledged. */
export class Ledger {
  readonly #acknowledged = new Map<string, Set<string>>();
  readonly #writes: AcknowledgedWrite[] = [];
  #marks = 0;

  /** How many writes were acknowledged. */
  get count(): number {
    return this.#writes.length;
  }

  nextMark(): Mark {
    return `mark-${(this.#marks += 1)}`;
  }

  acknowledge(write: AcknowledgedWrite): void {
    const { id, mark } = write;
    this.#writes.push(write);
    if (mark) this.#acknowledged.set(id, (this.#acknowledged.get(id) ?? new Set()).add(mark));
  }

  /**
   * The acknowledged writes to a collection that were lost: no event of its changes has that version of the
   * item or a later one, or another write got the same revision. As `item: revision`.
   */
  lostIn(collection: string, events: readonly ItemEvent[]): string[] {
    const announced = new Map<string, number>();
    for (const { subject, data } of events)
      announced.set(subject, Math.max(data.updates, announced.get(subject) ?? 0));
    const revisions = new Set<string>();
    return this.#writes
      .filter((write) => write.collection === collection)
      .filter(({ id, sync, revision }) => {
        const isRepeated = revisions.has(`${id} ${revision}`);
        revisions.add(`${id} ${revision}`);
        return isRepeated || sync.updates > (announced.get(id) ?? 0);
      })
      .map(({ id, revision }) => `${id}: ${revision}`);
  }

  /** The acknowledged writes that none of these items holds, as `item: mark`. */
  missingIn(items: readonly ShownItem[]): string[] {
    const held = new Map(items.map((item) => [item.id, marksOf(item)]));
    return [...this.#acknowledged].flatMap(([id, written]) =>
      [...written].filter((mark) => !held.get(id)?.has(mark)).map((mark) => `${id}: ${mark}`),
    );
  }
}
