import type { Announcement } from '#core';

/**
 * What the change feed last said of an item as MongoDB keeps it: without what is so of most items, that it is
 * not deleted and has no conflicts.
 */
export type AnnouncementDocument = Pick<Announcement, 'revision'> & Partial<Announcement>;

export function toAnnouncementDocument({
  revision,
  deleted,
  conflictCount,
}: Announcement): AnnouncementDocument {
  return { revision, ...(deleted && { deleted }), ...(conflictCount > 0 && { conflictCount }) };
}

export function fromAnnouncementDocument({
  revision,
  deleted = false,
  conflictCount = 0,
}: AnnouncementDocument): Announcement {
  return { revision, deleted, conflictCount };
}
