import type { Demand } from '#contracts';
import { permits, permitsSome } from '#core';
import type { Permission } from '#core';
import { ProblemError } from '../problems/problem-error.ts';
import { unauthenticated } from './refusals.ts';
import type { Principal } from './principal.ts';

/** The collections that a request or a command is about: a name, `*` for all, or `some`. */
export interface About {
  readonly scope: string | { readonly some: true };
}

/**
 * Throws `ProblemError` 401 `unauthenticated` if there is no principal, 403 `forbidden` if it has no
 * permission; whether what it is about exists plays no part.
 */
export function checkPermission(
  principal: Principal | undefined,
  permission: Permission,
  about: About,
): asserts principal is Principal {
  if (principal === undefined)
    throw unauthenticated(
      `This needs a key with the permission "${permission}"${forWhat(about)}: Authorization: Bearer KEY.`,
    );
  const { grants } = principal;
  const { scope } = about;
  const isPermitted =
    typeof scope === 'string' ? permits(grants, permission, scope) : permitsSome(grants, permission);
  if (!isPermitted)
    throw new ProblemError(
      403,
      'forbidden',
      `The key "${principal.name}" has no permission "${permission}"${forWhat(about)}.`,
    );
}

function forWhat({ scope }: About): string {
  if (typeof scope !== 'string') return '';
  return scope === '*' ? ' for all collections' : ` for the collection "${scope.slice(0, 200)}"`;
}

/** The permission that `needs` comes down to; undefined if it is open to anyone, or to any key. */
export function permissionOf(needs: Demand['needs']): Permission | undefined {
  if (needs === 'nothing' || needs === 'key') return undefined;
  return needs === 'metrics' ? 'admin' : needs;
}
