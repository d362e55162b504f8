import type { ShownItem } from './installation.ts';

/** A mark that a write leaves in the content of an item, unique in the story. */
export type Mark = `${string}-${number}`;

const marks = /\b(?:left|right)-\d+\b/g;

/** The marks that an item holds, in its current version and in those in conflict with it. */
export function marksOf({ content = '', conflicts }: Pick<ShownItem, 'content' | 'conflicts'>): Set<string> {
  const versions = [content, ...conflicts.map((conflict) => JSON.stringify(conflict))];
  return new Set(versions.flatMap((version) => version.match(marks) ?? []));
}

/** The writes that were acknowledged. */
export class Ledger {
  readonly #acknowledged = new Map<string, Set<string>>();
  /** How many writes were acknowledged. */
  count = 0;

  acknowledge(id: string, mark: Mark): void {
    this.count += 1;
    this.#acknowledged.set(id, (this.#acknowledged.get(id) ?? new Set()).add(mark));
  }

  /** The acknowledged writes that none of these items holds, as `item: mark`. */
  missingIn(items: readonly ShownItem[]): string[] {
    const held = new Map(items.map((item) => [item.id, marksOf(item)]));
    return [...this.#acknowledged].flatMap(([id, written]) =>
      [...written].filter((mark) => !held.get(id)?.has(mark)).map((mark) => `${id}: ${mark}`),
    );
  }
}
