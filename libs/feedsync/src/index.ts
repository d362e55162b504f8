export { checkedAuthor } from './engine/author.ts';
export type { Author } from './engine/author.ts';
export { parseCount } from './engine/count.ts';
export { isDateTime } from './engine/date-time.ts';
export { EditLimitError } from './engine/edit-error.ts';
export { createItem, deleteItem, undeleteItem, updateItem } from './engine/edit.ts';
export type { Creation, Edit } from './engine/edit.ts';
export { cleanUpHistory } from './engine/history.ts';
export type { ForeignMarkup, HistoryEntry, Item, Sync } from './engine/item.ts';
export {
  agreedSequence,
  clashesIn,
  isSameTime,
  recordAccepted,
  recordIssued,
  recordOfHistory,
} from './engine/issued.ts';
export type { Clash } from './engine/issued.ts';
export { merge } from './engine/merge.ts';
export type { MergeOptions, MergeResult } from './engine/merge.ts';
export { isNamespaceSpecificString } from './engine/namespace-specific-string.ts';
export { latest, preferEndpoint, resolveByPolicy } from './engine/policy.ts';
export type { Choice, Policy } from './engine/policy.ts';
export { ResolutionError, resolveItem } from './engine/resolve.ts';
export type { Resolution } from './engine/resolve.ts';
export { resign, signaturesOf } from './engine/signature.ts';
export type { MarkOf } from './engine/signature.ts';
export { isItemSubsumedBy } from './engine/subsumption.ts';
export { compareVersions, isWinner } from './engine/version.ts';
export { readItem } from './xml/item-reading.ts';
export { writeItem } from './xml/item-writing.ts';
export { syncNamespace } from './xml/namespace.ts';
export { feedsyncDialect } from './xml/dialect.ts';
export { feedsyncRules } from './xml/rule.ts';
export type { FeedSyncContent } from './service/feedsync-content.ts';
export { feedsyncProtocol } from './service/feedsync-protocol.ts';
