export type { Author } from './author.ts';
export { compareCodePoints } from './code-point.ts';
export { maximumCount, parseCount } from './count.ts';
export { isDateTime } from './date-time.ts';
export { EditError, EditLimitError } from './edit-error.ts';
export { createItem, deleteItem, undeleteItem, updateItem } from './edit.ts';
export type { Creation, Edit } from './edit.ts';
export { cleanUpHistory } from './history.ts';
export type { ForeignMarkup, HistoryEntry, Item, Sync } from './item.ts';
export {
  agreedSequence,
  clashesIn,
  isSameTime,
  recordAccepted,
  recordIssued,
  recordOfHistory,
} from './issued.ts';
export type { Clash, IssuedRecord, Signature } from './issued.ts';
export { merge, TooManyConflictsError } from './merge.ts';
export type { MergeOptions, MergeResult } from './merge.ts';
export { isNamespaceSpecificString } from './namespace-specific-string.ts';
export { latest, preferEndpoint, resolveByPolicy } from './policy.ts';
export type { Choice, Policy } from './policy.ts';
export { ResolutionError, resolveItem } from './resolve.ts';
export type { Resolution } from './resolve.ts';
export { resign, signaturesOf } from './signature.ts';
export type { MarkOf, Resigning } from './signature.ts';
export { isItemSubsumedBy, isSubsumedBy } from './subsumption.ts';
export { compareVersions, isWinner } from './version.ts';
