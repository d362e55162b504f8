export { EditError, InvalidEditError, ItemExistsError, ItemNotFoundError, ItemStateError, RevisionMismatchError } from './edit-error.ts';
export { editItem } from './edit-item.ts';
export type { EditPorts } from './edit-item.ts';
export { formatDateTime, itemUrl } from './identity.ts';
export { itemJson } from './item-json.ts';
export type { ItemJson } from './item-json.ts';
export { mergeFragments } from './merge-fragments.ts';
export type { MergeOutcome, MergePorts } from './merge-fragments.ts';
export type { Edit } from './protocol.ts';
