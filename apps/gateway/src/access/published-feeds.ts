import type { ServerResponse } from 'node:http';
import type { CollectionKey, Store } from '#core';

/** Whether everyone may read the feeds and files of a collection. */
export async function isPublished(
  { store }: { readonly store: Pick<Store, 'collections'> },
  key: CollectionKey,
): Promise<boolean> {
  return (await store.collections.find(key))?.isPublic === true;
}

const privateResponses = new WeakSet<ServerResponse>();

/** Has a response say that only the one who requested it may keep it. */
export function keepPrivate(response: ServerResponse): void {
  privateResponses.add(response);
}

/** `Cache-Control` of a feed or a file: what holds for everyone, or for the reader alone. */
export function cacheControl(response: ServerResponse, forEveryone: string): string {
  return privateResponses.has(response) ? forEveryone.replace(/^(?:public, )?/, 'private, ') : forEveryone;
}
