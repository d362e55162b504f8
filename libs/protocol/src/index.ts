export { sinceOf } from './composed-feed.ts';
export type { ComposedFeed, FeedRequest } from './composed-feed.ts';
export {
  InvalidEditError,
  ItemExistsError,
  ItemNotFoundError,
  ItemStateError,
  KeyReusedError,
  RevisionMismatchError,
} from './edit-error.ts';
export { feedUrl } from './feed-address.ts';
export type { FeedVariant } from './feed-address.ts';
export { feedOrigin } from './feed-origin.ts';
export { noCompleteFeed, planByWindow, safeUntil } from './feed-plan.ts';
export { eventSource, formatDateTime, itemUrl, publishedId, publisherData } from './identity.ts';
export { ItemsOfOwnIds, violationAt } from './item-examination.ts';
export type { ItemExamination, TreeExamination } from './item-examination.ts';
export type { ItemJson } from './item-json.ts';
export { isItem, ItemSet } from './item-set.ts';
export { markOf } from './mark.ts';
export type { MergedFeed, Taken } from './merged-feed.ts';
export { isHierarchical, isOrdered } from './order.ts';
export type {
  AdoptedFragment,
  AdoptedItems,
  Adoption,
  AssignedPlace,
  Edit,
  Editor,
  FeedTreeProtocol,
  Protocol,
  Resolved,
  SharingProtocol,
} from './protocol.ts';
export { readerAddress } from './reader-address.ts';
export { isWithoutData, withoutData } from './removed-data.ts';
export type { ResolutionModule, ResolutionModules } from './resolution-module.ts';
export { sharingSettings } from './sharing-settings.ts';
export { aggregatedFeeds, republishedMarkup } from './subscribed-feeds.ts';
export { uniteVersions } from './unite-versions.ts';
export type { UnitedVersion } from './unite-versions.ts';
