import type { Fragment, Violation } from '#xml';

/** An item of a plain feed that is not adopted. */
export interface LeftItem {
  readonly fragment: Fragment;
  readonly reason: LeftReason;
}

/** Why an item is not adopted. One that can't be read becomes a dead letter, which says why. */
export type LeftReason = 'unread' | 'synchronised' | 'empty';

const rules = {
  synchronised: 'with synchronisation data of a protocol that this collection does not have',
  empty: 'without an id, a link, a title or any content',
} as const;

/** Returns a warning for each reason for which items are left out, at the first of them. */
export function leftViolations(left: readonly LeftItem[]): readonly Violation[] {
  return (['synchronised', 'empty'] as const).flatMap((reason) => {
    const items = left.filter((item) => item.reason === reason);
    const [first] = items;
    if (first === undefined) return [];
    const { line, column } = first.fragment;
    const [noun, verb] = items.length === 1 ? ['item', 'was'] : ['items', 'were'];
    const message = `${items.length} ${noun} ${rules[reason]} ${verb} left out.`;
    return [
      { rule: `item-${reason}`, section: 'RSS 2.0, RFC 4287', message, severity: 'warning', line, column },
    ];
  });
}
