import type { Grant, Permission } from '#contracts';

/** What is permitted to whoever is permitted everything. */
export const allGrants: readonly Grant[] = [{ permissions: ['admin'], collections: '*' }];

/**
 * Whether the grants permit this for the collection with this name. `admin` includes every permission, `read`
 * includes `feeds`.
 */
export function permits(grants: readonly Grant[], permission: Permission, collection: string): boolean {
  return grants.some(
    ({ permissions, collections }) =>
      includes(permissions, permission) && scopeIncludes(collections, collection),
  );
}

/** Whether the grants permit this for at least one collection, which need not exist. */
export function permitsSome(grants: readonly Grant[], permission: Permission): boolean {
  return grants.some(({ permissions }) => includes(permissions, permission));
}

/** Whether the grants permit this for every collection of a scope, be it a name, `todo-*` or `*`. */
export function permitsScope(grants: readonly Grant[], permission: Permission, scope: string): boolean {
  return grants.some(
    ({ permissions, collections }) => includes(permissions, permission) && scopeCovers(collections, scope),
  );
}

function includes(permissions: readonly Permission[], permission: Permission): boolean {
  if (permissions.includes(permission) || permissions.includes('admin')) return true;
  return permission === 'feeds' && permissions.includes('read');
}

/** A beginning with `*` includes the names of its own tenant, which a dot ends, and of no other. */
function scopeIncludes(scope: string, name: string): boolean {
  if (scope === '*' || scope === name) return true;
  if (!scope.endsWith('*')) return false;
  const beginning = scope.slice(0, -1);
  return name.startsWith(beginning) && !name.slice(beginning.length).includes('.');
}

function scopeCovers(scope: string, other: string): boolean {
  if (scope === '*' || scope === other) return true;
  if (!other.endsWith('*')) return scopeIncludes(scope, other);
  return other !== '*' && scope.endsWith('*') && scopeIncludes(scope, other.slice(0, -1));
}
