import type { HistoryEntry, Item } from './item.ts';

/**
 * What a set of histories subsumes, as an index: asking it about an entry answers what comparing the entry
 * with every entry of those histories would answer (3.3, footnote 2), at the cost of one look-up.
 */
export class Knowledge {
  readonly #greatest = new Map<string, number>();
  readonly #withoutBy = new Set<string>();

  /** The knowledge of all the given items' own histories; their conflicts are not looked at. */
  static of(items: Iterable<Item>): Knowledge {
    const knowledge = new Knowledge();
    for (const item of items) for (const entry of item.sync.history) knowledge.add(entry);
    return knowledge;
  }

  add(entry: HistoryEntry): void {
    if (entry.by === undefined) this.#withoutBy.add(keyWithoutBy(entry));
    else if (entry.sequence > this.greatest(entry.by)) this.#greatest.set(entry.by, entry.sequence);
  }

  /** The greatest sequence with this `by`; 0 if there is none. */
  greatest(by: string): number {
    return this.#greatest.get(by) ?? 0;
  }

  /** Whether one of the entries subsumes the given one. */
  subsumes(entry: HistoryEntry): boolean {
    return entry.by === undefined
      ? this.#withoutBy.has(keyWithoutBy(entry))
      : entry.sequence <= this.greatest(entry.by);
  }
}

function keyWithoutBy({ sequence, when }: HistoryEntry): string {
  return `${sequence} ${when ?? ''}`;
}
