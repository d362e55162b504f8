import type { mongo } from 'mongoose';
import type { ChangeBlock } from '#core';
import { toAnnouncementDocument } from './announcement-document.ts';
import type { ItemDocument } from './item-document.ts';
import { keyOf } from './key.ts';
import type { NoticeDocument } from './notice-document.ts';
import { atPlace, withPlace } from './place-of-key.ts';

/** How long it is known which notices became events, in milliseconds. */
const kept = 3_600_000;

/** Records on pending items what a block publishes of them; one that has changed since stays pending. */
export async function recordItems(
  rows: mongo.Collection<ItemDocument>,
  { collection, items, at }: ChangeBlock,
  session: mongo.ClientSession,
): Promise<void> {
  if (items.length === 0) return;
  const keys = items.map(({ id }) => keyOf(collection, id));
  const published = {
    sequence: atPlace(items.map(({ sequence }) => sequence)),
    publishedAt: at,
    announced: atPlace(items.map(toAnnouncementDocument)),
    pending: { $gt: ['$revision', atPlace(items.map(({ revision }) => revision))] },
  };
  const result = { $mergeObjects: ['$$ROOT', published] };
  await rows.updateMany({ _id: { $in: keys } }, [{ $replaceWith: withPlace(keys, result) }], { session });
}

/** Ends notices that became events; they are remembered for an hour. */
export async function endNotices(
  rows: mongo.Collection<NoticeDocument>,
  { collection, notices, at }: ChangeBlock,
  session: mongo.ClientSession,
): Promise<void> {
  if (notices.length === 0) return;
  const keptUntil = new Date(at.getTime() + kept);
  await rows.updateMany(
    { _id: { $in: notices.map((id) => keyOf(collection, id)) } },
    [{ $replaceWith: { _id: '$_id', keptUntil } }],
    { session },
  );
}
