import type { ItemVersionView, ModificationView, NumberedItemView } from '#contracts';
import { count } from '../terminal/text.ts';

/** One version of an item as people see it, whatever its protocol. */
export interface ShownVersion {
  readonly title: string;
  /** What is to be known of it beside its content: `deleted`, `3 updates`. */
  readonly state: readonly string[];
  /** By name; those without a value are left out. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** The column of the numbers in `history`. */
  readonly numbering: 'SEQUENCE' | 'VERSION';
  /** Number, when, by; the latest first. */
  readonly history: readonly (readonly [string, string, string])[];
}

export function shownVersion(item: ItemVersionView | NumberedItemView | ModificationView): ShownVersion {
  return 'sync' in item ? shownItem(item) : shownConflict(item);
}

function shownItem(item: ItemVersionView | NumberedItemView): ShownVersion {
  if (isNumbered(item)) return shownNumberedItem(item);
  const { sync, deleted } = item;
  const state = [
    deleted && 'deleted',
    sync.noconflicts === true && 'keeps no conflicts',
    count(sync.updates, 'update'),
  ].filter((part) => part !== false);
  const history = sync.history.map(
    ({ sequence, when = '', by = '' }) => [String(sequence), when, by] as const,
  );
  return { ...shownContent(item), state, numbering: 'SEQUENCE', history };
}

function isNumbered(item: ItemVersionView | NumberedItemView): item is NumberedItemView {
  return 'version' in item.sync;
}

function shownNumberedItem(item: NumberedItemView): ShownVersion {
  const { sync, deleted, parent, position } = item;
  const state = [deleted && 'deleted', sync.conflict && 'in conflict', `version ${sync.version}`].filter(
    (part) => part !== false,
  );
  const history = sync.history.map(
    ({ when = '', by = '' }, index) => [String(sync.version - index), when, by] as const,
  );
  const { title, fields } = shownContent(item);
  const place = {
    parent: parent ?? undefined,
    position: position === undefined ? undefined : String(position),
  };
  return { title, fields: { ...place, ...fields }, state, numbering: 'VERSION', history };
}

function shownConflict(conflict: ModificationView): ShownVersion {
  const { version, when = '', by = '', deleted = false } = conflict;
  const state = [deleted && 'deleted', `version ${version}`].filter((part) => part !== false);
  return { ...shownContent(conflict), state, numbering: 'VERSION', history: [[String(version), when, by]] };
}

function shownContent({
  title,
  summary,
  content,
  link,
  categories = [],
  attributes = {},
}: ModificationView | ItemVersionView | NumberedItemView): Pick<ShownVersion, 'title' | 'fields'> {
  const { text, ...others } = attributes;
  const fields = {
    summary,
    content,
    link,
    categories: categories.length > 0 ? categories.join(', ') : undefined,
    ...others,
  };
  return { title: title ?? text ?? '', fields };
}
