import type {
  Dialect,
  FeedHead,
  Format,
  Fragment,
  Payload,
  PublisherData,
  ReaderItem,
  Violation,
  ParseResult,
} from '#xml';
import type { ItemId, Resigning, Steps } from '#core';
import type { Sighting, Signature } from '#core';
import type { IssuedRecord } from '#core';
import type {
  Collection,
  CollectionSettings,
  ItemContent,
  SharedContent,
  StoredItem,
  VersionSummary,
} from '#core';
import type { Position } from '#core';
import type { ComposedFeed, FeedRequest } from './composed-feed.ts';
import type { FeedPlan, Progress } from './feed-plan.ts';
import type { ResolutionModules } from './resolution-module.ts';
import type { ItemExamination, NamedRule, TreeExamination } from './item-examination.ts';
import type { MergedFeed } from './merged-feed.ts';
import type { ItemJson } from './item-json.ts';
import type { TreeValues } from '#core';

/**
 * What a person or a service requests for one item. `position` only in a collection that has an order (SSE
 * 3.2) or is a tree of feeds, with its key; `branch` only in a tree.
 */
export type Edit =
  | {
      readonly action: 'create';
      readonly id: ItemId;
      readonly payload: Payload;
      readonly noconflicts?: boolean;
      readonly deleted?: boolean;
      readonly position?: Position;
      readonly branch?: TreeValues;
    }
  /** Without a payload the item is moved only, or what its tree says of it is changed. */
  | {
      readonly action: 'update';
      readonly payload?: Payload;
      readonly position?: Position;
      readonly branch?: TreeValues;
    }
  /** `removeData`: as the collection's settings say if absent (FeedSync 3.2, MAY). */
  | { readonly action: 'delete'; readonly removeData?: boolean }
  | {
      readonly action: 'undelete';
      readonly payload?: Payload;
      readonly position?: Position;
      readonly branch?: TreeValues;
    }
  | {
      readonly action: 'resolve';
      readonly keep: 'winner' | { readonly conflict: number };
      readonly payload?: Payload;
      readonly conflicts?: readonly number[];
    };

/** Who edits, and when: `by` is the collection's endpoint, `when` RFC 3339 in whole seconds and UTC. */
export interface Editor {
  readonly by: string;
  readonly when: string;
  /** What `by` has signed of the item before; absent if that is nothing. */
  readonly issued?: IssuedRecord;
}

/** What a merge came to. */
interface Merged<Content> {
  readonly content: Content;
  /** False if the local item already says all that the incoming one does. */
  readonly changed: boolean;
}

/**
 * What resolving the conflicts of an item came to. Where they stay, the content is what it was; `problem`
 * says why, if that is for the operator to mend.
 */
export interface Resolved<Content> {
  readonly content: Content;
  readonly resolution?: NonNullable<VersionSummary['resolution']>;
  readonly problem?: Omit<Violation, 'line' | 'column'>;
}

/** Where an item goes once everything that was fetched is merged; reparented where it stood in a cycle. */
export interface AssignedPlace {
  readonly position: Position;
  readonly isReparented: boolean;
}

/** What the services keep of an item beside its content, to find it and to announce it by. */
type ItemSummary = Pick<StoredItem, 'id' | 'deleted' | 'conflictCount' | 'position' | 'branch' | 'version'>;

/**
 * How the services meet a synchronisation protocol. All are pure: what they need is in their arguments.
 * A new protocol is a module, one file of it that implements this, and one line in `protocols`.
 */
export interface Protocol<Content extends ItemContent = ItemContent> {
  /** Items of one feed that have versions to merge, or a tree of feeds, which has one source. */
  readonly structure: 'items' | 'feed-tree';
  /**
   * A payload as the items of a collection in this format have it: converted, or itself.
   * @throws FeedError of rule `format-fixed` for one that can't be converted
   */
  payloadIn(payload: Payload, format: Format): Payload;
  /** Its name, with the version of its specification. */
  readonly title: string;
  /** The formats that a collection can have, the default first. */
  readonly formats: readonly [Format, ...Format[]];
  /** The settings that its collections have besides those that all have. */
  readonly settings: readonly (keyof CollectionSettings)[];
  /**
   * Whether the time of a publication is part of what feeds say: it is in whole seconds then, grows with
   * every block of changes, and is recorded with the block.
   */
  readonly statesPublicationTimes: boolean;
  /** The formats that a collection in this format is published in. */
  publishedFormats(format: Format): readonly Format[];
  /** Performs a local edit; `local` is undefined for `create` only. */
  edit(local: Content | undefined, edit: Edit, editor: Editor, settings: CollectionSettings): Content;
  summary(content: Content): ItemSummary;
  /** The item as the HTTP interface shows it. */
  json(content: Content): ItemJson;
  /** When the item was made, as far as it says itself, RFC 3339; undefined if it says nothing. */
  creation(content: Content): string | undefined;
  /**
   * What feed readers show of an item that is not deleted; undefined for one that they are not to show.
   * @param publicUrl where this endpoint is reached, without a slash at its end
   */
  readerItem(content: Content, collection: Collection, publicUrl: string): Steps<ReaderItem | undefined>;
}

/** A protocol whose items have versions that are merged. */
export interface SharingProtocol<Content extends SharedContent = SharedContent> extends Protocol<Content> {
  readonly structure: 'items';
  /** How the scanner tells items of its feeds, and what their heads say. */
  readonly dialect: Dialect;
  /** Decides whether the complete feed has to be read after a feed, whose head this is. */
  planFeed(progress: Progress, feedUrl: string, head: FeedHead): FeedPlan;
  /** The section of its specification that says when the complete feed is to be read. */
  readonly completeFeedSection: string;
  /**
   * Returns the markup in the head of a subscribed feed that our feeds are to have too.
   * @param synchronisation the namespaces of synchronisation data, of whatever protocol
   */
  republishedMarkup(head: FeedHead, synchronisation: readonly string[]): readonly string[];
  /** Decides what a feed of a collection says of itself. */
  composeFeed(collection: Collection, request: FeedRequest): ComposedFeed;
  /** Of which subscriptions the heads of a collection's feeds say something: of all, or for their markup. */
  shownSubscriptions(settings: CollectionSettings): 'none' | 'with-markup' | 'all';
  /** The section of its specification that says how items are merged, such as `FeedSync 3.3`. */
  readonly mergeSection: string;
  /** What a document breaks that has an item more than once, in versions that conflict. */
  readonly repeatedItemRule: NamedRule;
  /** Begins to examine the items of a feed, also those that `read` takes. */
  examineItems(): ItemExamination;
  /** Begins to merge feeds into one document, without a collection. */
  mergeFeeds(): MergedFeed;
  /** Reads one item cut from a feed; rejections are returned, not thrown. */
  read(fragment: Fragment): Steps<ParseResult<Content>>;
  /**
   * An incoming item as the collection keeps it, its conflicts too.
   * @param base the address of the document that brought it, which its relative references are for; absent
   *   if it has none
   * @throws FeedError for content that can't be converted to the collection's format
   */
  adapt(item: Content, collection: Collection, base?: string): Content;
  /** Whether a history of an item, or of a conflict, has anything by this endpoint. */
  isSignedBy(content: Content, by: string): boolean;
  /**
   * What the histories of an item, and those of its conflicts, say that this endpoint signed; the latest
   * version comes first.
   */
  signatures(content: Content, by: string): Signature[];
  /** The item with some of an endpoint's signatures under another identifier. */
  resign(content: Content, resigning: Resigning): Content;
  /** Merges an incoming version into the local one, if there is one. */
  merge(local: Content | undefined, incoming: Content): Merged<Content>;
  /**
   * Resolves the conflicts of a merged item as its collection's settings say (FeedSync 3.4); absent if a
   * protocol has no such policies.
   */
  resolveConflicts?(content: Content, collection: Collection, modules: ResolutionModules): Resolved<Content>;
  /**
   * The item if the whole collection has it, without a new version (SSE 4.4.2); absent if items never
   * have an order.
   */
  placeItem?(content: Content, place: AssignedPlace): Content;
  /** The item as it stands in our own feeds, in the format of its payload. */
  write(content: Content, publisher: PublisherData): string;
  /** The item with each version's payload replaced. */
  withPayloads(content: Content, replace: (payload: Payload) => Payload): Content;
  /**
   * Whether this endpoint, under any of these identifiers, created the item, or a version in conflict, or
   * made its last change, as far as the history tells. Of what is not, a subscriber that fell out of the
   * feed's window discards what the complete feed no longer has (FeedSync 4.1.2); absent if nothing is
   * discarded.
   */
  isOwn?(content: Content, endpoints: readonly string[]): boolean;
  /** Absent if items without synchronisation data are always left out. */
  readonly adoption?: Adoption<Content>;
}

/** An item of a plain feed with the synchronisation data that it was given. */
export interface AdoptedFragment extends Fragment {
  readonly id: string;
  /** The same as long as the item says the same. */
  readonly digest: string;
  readonly adopted: true;
  /** Other ids that it may have; absent if the feed has its identifier once. */
  readonly shared?: SharedIdentifier;
}

/** An identifier that a plain feed gives to several items. */
export interface SharedIdentifier {
  /** The ids that the item has if the feed had its identifier for others or for it alone, the best first. */
  readonly others: readonly string[];
  /** Whether this document has several items with it. */
  readonly isRepeated: boolean;
  /** Whether it is one that the feed states (`guid`, `atom:id`), and not a link. */
  readonly isStated: boolean;
}

/** The items of a plain feed. */
export interface AdoptedItems {
  /** Each once; to be read once. */
  readonly adopted: Iterable<AdoptedFragment>;
  /** Those that nothing tells apart, and those that can't be read. */
  readonly left: readonly Fragment[];
  /** Why items are left out, as warnings: one for each reason, at the first of them. */
  readonly violations: readonly Violation[];
}

/** How a protocol takes in items without synchronisation data. All hooks are pure. */
export interface Adoption<Content extends SharedContent = SharedContent> {
  /** The endpoint identifier under which a feed at this address is adopted: the same for everyone. */
  endpointOf(feedUrl: string): string;
  /**
   * Gives the items of a plain feed synchronisation data, signed by `endpoint`, the oldest first.
   * @param shares whether the feed has had one identifier for several items before
   */
  adopt(
    fragments: readonly Fragment[],
    head: Pick<FeedHead, 'children' | 'scope'>,
    endpoint: string,
    shares?: boolean,
  ): AdoptedItems;
  /** Whether an item here is the one in a fragment of a feed with the same identifier. */
  isSameItem(content: Content, fragment: AdoptedFragment): boolean;
  /**
   * The version to be merged that an adopted item is here; undefined if the item here knows it.
   * @param sighting how the subscription sees it
   */
  version(local: Content | undefined, adopted: Content, sighting: Sighting): Content | undefined;
}

/** A protocol whose collections are trees of feeds. */
export interface FeedTreeProtocol<Content extends ItemContent = ItemContent> extends Protocol<Content> {
  readonly structure: 'feed-tree';
  /** Those of its markup. */
  readonly namespaces: readonly string[];
  /** Begins to examine the items of a feed, which need not be one of a tree. */
  examineItems(): TreeExamination;
}
