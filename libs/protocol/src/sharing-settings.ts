/** The settings that collections have if their items have versions to merge. */
export const sharingSettings = [
  'windowItems',
  'windowLimit',
  'windowAge',
  'removeDeletedData',
  'listSubscriptions',
] as const;
