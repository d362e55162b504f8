import { nameOf, permits } from '#core';
import type { Collection, Grant, Store } from '#core';

/** How many collections are read at once at least. */
const step = 100;

/**
 * Lists collections by name: those that the grants permit to read, at most `limit` after a place in the list.
 * Of the others only those are read that are between them.
 */
export async function readableCollections(
  { collections }: { readonly collections: Pick<Store['collections'], 'list'> },
  grants: readonly Grant[],
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<Collection[]> {
  const scopes = grants.map((grant) => grant.collections);
  const found: Collection[] = [];
  for (let place = nextPlace(scopes, after ?? ''); place !== undefined;) {
    const wanted = Math.max(limit - found.length, scopes.includes('*') ? 1 : step);
    const loaded = await collections.list({ after: place, limit: wanted });
    for (const collection of loaded) {
      if (permits(grants, 'read', nameOf(collection.key))) found.push(collection);
      if (found.length === limit) return found;
    }
    const last = loaded.at(-1);
    if (last === undefined || loaded.length < wanted) return found;
    place = nextPlace(scopes, last.key);
  }
  return found;
}

/**
 * The place at or after `after` behind which the next collection of a scope may be; undefined if there is
 * none.
 */
export function nextPlace(scopes: readonly string[], after: string): string | undefined {
  const places = scopes.flatMap((scope) => {
    const first = scope.replace(/\*$/, '');
    // Names have no character from `~` on.
    if (scope !== '*' && after >= (scope.endsWith('*') ? `${first}~` : first)) return [];
    const before = placeBefore(first);
    return [before > after ? before : after];
  });
  return places.toSorted()[0];
}

/** A place that is behind every name before this one, and not behind this one. */
function placeBefore(name: string): string {
  if (name === '') return '';
  const last = name.length - 1;
  return `${name.slice(0, last)}${String.fromCharCode(name.charCodeAt(last) - 1)}~`;
}
