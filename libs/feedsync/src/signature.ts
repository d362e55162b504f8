import type { Item } from './item.ts';
import type { Signature } from './issued.ts';

/** Stands for the data of a version; see `Signature`. */
export type MarkOf<Data> = (data: Data, deleted: boolean) => readonly string[];

/**
 * What an item's histories say that this endpoint signed, those of its conflicts too; the topmost entry of a version has its mark.
 * @param markOf asked only for versions whose topmost entry is by the endpoint
 */
export function signaturesOf<Data>(item: Item<Data>, by: string, markOf: MarkOf<Data>): Signature[] {
  return [item, ...item.conflicts].flatMap(({ sync, data }) => (
    sync.history.flatMap(({ sequence, when, by: author }, index): Signature[] => (
      author === by ? [{ sequence, ...(when !== undefined && { when }), ...(index === 0 && { mark: markOf(data, sync.deleted) }) }] : []
    ))
  ));
}
