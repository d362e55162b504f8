export { arrangeCollection } from './arrange-collection.ts';
export { notUniqueRule } from './check-signatures.ts';
export { deleteBranch } from './delete-branch.ts';
export {
  InvalidEditError,
  ItemExistsError,
  ItemNotFoundError,
  ItemStateError,
  KeyReusedError,
  RevisionMismatchError,
} from './edit-error.ts';
export { editItem } from './edit-item.ts';
export type { EditPorts } from './edit-ports.ts';
export { isStoredEdit } from './keyed-edit.ts';
export type { KeyedEdit } from './keyed-edit.ts';
export { entryIn } from './entry.ts';
export { sinceOf } from './feeds/composed-feed.ts';
export type { ComposedFeed } from './feeds/composed-feed.ts';
export { comparableUrl, feedUrl } from './feeds/feed-address.ts';
export type { FeedVariant } from './feeds/feed-address.ts';
export { feedOrigin } from './feeds/feed-origin.ts';
export { noCompleteFeed, safeUntil } from './feeds/feed-plan.ts';
export { feedsyncProtocol } from './feedsync-protocol.ts';
export { eventSource, feedUrn, formatDateTime, itemUrl, publishedId } from './identity.ts';
export type { ItemJson } from './item-json.ts';
export { mergeFragments } from './merge-fragments.ts';
export type { MergePorts } from './merge-fragments.ts';
export { isHierarchical, isOrdered } from './order.ts';
export { exportOutline } from './outline/export-outline.ts';
export { importOutline } from './outline/import-outline.ts';
export type { ItemEdit, RequestedPlacement } from './requested-placement.ts';
export type { Edit, FeedTreeProtocol, Protocol, SharingProtocol } from './protocol.ts';
export {
  isFeedTree,
  protocolOf,
  protocolOfDocument,
  synchronisationNamespaces,
  protocols,
  sharingProtocolOf,
} from './protocols.ts';
export { PublishedLengthError } from './published-length.ts';
export { readerAddress } from './reader-address.ts';
export { readerEntry } from './reader-entry.ts';
export type { ResolutionModule, ResolutionModules } from './resolution-module.ts';
export { sseProtocol } from './sse-protocol.ts';
export { feedIdOf } from './tree/feed-id.ts';
export { feedsAbove } from './tree/feeds-above.ts';
export { forgetSource } from './tree/forget-source.ts';
export { mirrorFeed } from './tree/mirror-feed.ts';
export { readTreeFeed } from './tree/read-tree-feed.ts';
export { removeFeed } from './tree/remove-feed.ts';
export { feedAddress, linkAddress, targetAddress } from './tree/tree-address.ts';
export { treeContent } from './tree/tree-content.ts';
export { feedOfItem, treeItemId } from './tree/tree-item-id.ts';
export type { LinkInput, LinksInput } from './tree/links-input.ts';
export { targetAt } from './tree/tree-address.ts';
