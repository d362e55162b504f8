import type { Fragment, ItemReading, Payload, PublisherData } from '#feed-xml';
import type { CollectionSettings, ItemContent } from '#ports';

/** What a person or a service asks for on one item. */
export type Edit =
  | { readonly action: 'create'; readonly id: string; readonly payload: Payload; readonly noconflicts?: boolean; readonly deleted?: boolean }
  | { readonly action: 'update'; readonly payload: Payload }
  /** `removeData`: as the collection's settings say where absent (FeedSync 3.2, MAY). */
  | { readonly action: 'delete'; readonly removeData?: boolean }
  | { readonly action: 'undelete'; readonly payload?: Payload }
  | { readonly action: 'resolve'; readonly keep: 'winner' | { readonly conflict: number }; readonly payload?: Payload; readonly conflicts?: readonly number[] };

/** Who edits, and when: `by` is the collection's endpoint, `when` RFC 3339 in whole seconds and UTC. */
export interface Editor {
  readonly by: string;
  readonly when: string;
}

/** What a merge came to. */
export interface Merged {
  readonly content: ItemContent;
  /** False where the local item already says all that the incoming one does. */
  readonly changed: boolean;
}

/**
 * How the services meet a synchronisation protocol. All four are pure: what they need is in their arguments.
 * A new protocol is a room that implements this and one line in `protocols`.
 */
export interface Protocol {
  /** Reads one item cut from a feed; rejections are answered, not thrown. */
  read(fragment: Fragment): ItemReading;
  /** Merges an incoming version into the local one, where there is one. */
  merge(local: ItemContent | undefined, incoming: ItemContent): Merged;
  /** Performs a local edit; `local` is undefined for `create` only. */
  edit(local: ItemContent | undefined, edit: Edit, editor: Editor, settings: CollectionSettings): ItemContent;
  /** The item as it stands in our own feeds. */
  write(content: ItemContent, publisher: PublisherData): string;
}
