import type { Resigning } from '#core';
import type { Item } from './item.ts';
import type { Signature } from '#core';

/** Stands for the data of a version; see `Signature`. */
export type MarkOf<Data> = (data: Data, deleted: boolean) => readonly string[];

/**
 * What an item's histories say that this endpoint signed, those of its conflicts too; the topmost entry of a
 * version has its mark.
 * @param markOf asked only for versions whose topmost entry is by the endpoint
 */
export function signaturesOf<Data>(item: Item<Data>, by: string, markOf: MarkOf<Data>): Signature[] {
  return [item, ...item.conflicts].flatMap(({ sync, data }) =>
    sync.history.flatMap(({ sequence, when, by: author }, index): Signature[] =>
      author === by
        ? [
            {
              sequence,
              ...(when !== undefined && { when }),
              ...(index === 0 && { mark: markOf(data, sync.deleted) }),
            },
          ]
        : [],
    ),
  );
}

/**
 * The item with some of an endpoint's history entries under another identifier, in its conflicts too; all
 * else stays.
 */
export function resign<Data>(item: Item<Data>, resigning: Resigning): Item<Data> {
  const { from, to, isMoved } = resigning;
  const history = item.sync.history.map((entry) =>
    entry.by === from && isMoved(entry) ? { ...entry, by: to } : entry,
  );
  return {
    ...item,
    sync: { ...item.sync, history },
    conflicts: item.conflicts.map((conflict) => resign(conflict, resigning)),
  };
}
