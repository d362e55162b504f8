import type { IncomingMessage } from 'node:http';
import { allGrants } from '#core';
import type { Actor, Grant } from '#core';
import { cut } from '../problems/problem-body.ts';

/** Who sends a request or a command, and what they may do. */
export interface Principal {
  readonly kind: 'key' | 'certificate' | 'token' | 'administrator' | 'anyone';
  /**
   * The id of the key, also of one that a certificate stands for; of a token its issuer and subject; for the
   * others their kind.
   */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The subject of the client certificate that it was recognised by. */
  readonly subject?: string;
  readonly grants: readonly Grant[];
  /** Absent if it never expires. */
  readonly expiresAt?: Date;
  /** Whether what it was recognised by is still accepted; absent if that never changes. */
  readonly isValid?: () => boolean;
}

/** Whoever sends no credentials to a gateway that demands none. */
export const anyone: Principal = { kind: 'anyone', id: 'anyone', name: 'anyone', grants: allGrants };

const principals = new WeakMap<IncomingMessage, Principal>();

/** Records who sends a request. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  principals.set(request, principal);
}

/** Returns who sends a request that has reached its operation. */
export function callerOf(request: IncomingMessage): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new TypeError('A request is let in with its sender.');
  return principal;
}

/** Returns who sends a request; undefined if it says nothing of that and should. */
export function principalOf(request: IncomingMessage): Principal | undefined {
  return principals.get(request);
}

/** How long a text of an actor is at most: tokens have them as long as their issuer likes. */
const textLength = 500;

/** Who a principal is, as it is kept with what they change. */
export function actorOf({ kind, id, name, subject }: Principal): Actor {
  return {
    kind,
    id: cut(id, textLength),
    ...(name !== id && { name: cut(name, textLength) }),
    ...(subject !== undefined && { subject: cut(subject, textLength) }),
  };
}
