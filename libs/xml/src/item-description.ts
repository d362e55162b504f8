import { authorsOf } from './item-authors.ts';
import type { ItemAuthor } from './item-authors.ts';
import { enclosuresOf, imageOf } from './item-media.ts';
import type { Enclosure } from './item-media.ts';
import { dateInPayload } from './payload-date.ts';
import type { Payload } from './payload.ts';

/** What an item says of itself besides its content. Each member is absent if the item says nothing of it. */
export interface ItemDescription {
  /** RFC 3339, whole seconds, UTC. */
  readonly published?: string;
  readonly authors?: readonly ItemAuthor[];
  readonly enclosures?: readonly Enclosure[];
  /** The address of its picture. */
  readonly image?: string;
}

/** Reads when an item was published, who wrote it, its files and its picture; nothing of an outline. */
export function describeItem(payload: Payload): ItemDescription {
  const { format, children, scope } = payload;
  if (format === 'opml') return {};
  const published = dateInPayload(payload);
  const authors = authorsOf(children, scope);
  const enclosures = enclosuresOf(children, scope);
  const image = imageOf(children, scope);
  return {
    ...(published !== undefined && { published }),
    ...(authors.length > 0 && { authors }),
    ...(enclosures.length > 0 && { enclosures }),
    ...(image !== undefined && { image }),
  };
}
