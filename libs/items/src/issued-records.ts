import { recordIssued, recordOfHistory } from '#feedsync';
import { sharedContent } from '#core';
import type { Collection, ItemContent, ItemId, ItemStore, StoredItem } from '#core';
import type { IssuedRecord } from '#core';
import { isFeedTree, sharingProtocolOf } from '#protocols';

/** What was signed here of items, by id; without those of which nothing is known. */
export type IssuedRecords = ReadonlyMap<ItemId, readonly IssuedRecord[]>;

/**
 * Finds what was signed here of items that are to be edited or looked at: an item's row has it, or if that
 * has nothing, what an earlier row of the same id has left.
 * @param ids which of them to look for where their rows have nothing
 */
export async function issuedRecords(
  items: Pick<ItemStore, 'issued'>,
  collection: Collection,
  stored: ReadonlyMap<ItemId, StoredItem>,
  ids: readonly ItemId[],
): Promise<IssuedRecords> {
  if (isFeedTree(collection)) return new Map();
  const records = new Map(
    [...stored].flatMap(([id, { issued }]) => (issued === undefined ? [] : [[id, issued] as const])),
  );
  const missing = ids.filter((id) => !records.has(id));
  if (missing.length > 0)
    for (const [id, found] of await items.issued(collection.key, missing)) records.set(id, found);
  return records;
}

/**
 * The record of one endpoint identifier; undefined if it signed nothing.
 * @param content the item as it is stored, whose histories tell if there is no record
 */
export function issuedRecord(
  collection: Collection,
  by: string,
  records: readonly IssuedRecord[] | undefined,
  content: ItemContent | undefined,
): IssuedRecord | undefined {
  const known = records?.find((record) => record.by === by);
  if (known !== undefined || content === undefined) return known;
  return recordOfHistory(by, sharingProtocolOf(collection).signatures(sharedContent(content), by));
}

/** The records once the latest version of an item was signed by the collection's endpoint. */
export function withLatest(
  collection: Collection,
  records: readonly IssuedRecord[] = [],
  before: IssuedRecord | undefined,
  content: ItemContent,
): readonly IssuedRecord[] {
  const by = collection.endpoint;
  const [latest] = sharingProtocolOf(collection).signatures(sharedContent(content), by);
  if (latest === undefined) return records;
  return [...records.filter((record) => record.by !== by), recordIssued(before, by, latest)];
}
