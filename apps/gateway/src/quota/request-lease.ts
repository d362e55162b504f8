import type { TokenGrant } from '#core';

/** For how many milliseconds requests that were leased may be let through; what is left is lost then. */
const leaseTime = 1000;
/** A lease that lasts less than the one becomes larger, one that lasts longer than the other smaller. */
const [shortLease, longLease] = [100, 400];
/** How many requests are leased at once at the most, if no more wait. */
const largestLease = 1000;
/** How many milliseconds pass at the least until an empty bucket is asked again: what comes in is shared. */
const emptyPause = 50;

/** What a gateway may let through of a tenant. Times are in milliseconds. */
export interface RequestLease {
  /** Requests, until `until`. */
  readonly held: number;
  readonly until: number;
  /** How many requests to lease next, and when some were leased last. */
  readonly size: number;
  readonly leasedAt: number;
  /** When there was nothing to lease: until when nobody asks again, and when there is a request again. */
  readonly emptyUntil: number;
  readonly returnsAt: number;
}

/** That of a tenant of which nothing is known. */
export const noLease: RequestLease = {
  held: 0,
  until: 0,
  size: 1,
  leasedAt: 0,
  emptyUntil: 0,
  returnsAt: 0,
};

/** What comes of a request: it is let through, refused for so many milliseconds, or a lease is needed. */
export type RequestOutcome =
  | { readonly kind: 'taken'; readonly lease: RequestLease; readonly isLow: boolean }
  | { readonly kind: 'refused'; readonly wait: number }
  | { readonly kind: 'needed' };

/** Lets a request through at `now` if that is leased. */
export function takeRequest(lease: RequestLease, now: number): RequestOutcome {
  if (lease.held > 0 && now < lease.until) {
    const held = lease.held - 1;
    // A lease of 1 is not renewed before it is needed: half of a small quota would be lost by that.
    const isLow = lease.size > 1 && held < lease.size / 2 && now >= lease.emptyUntil;
    return { kind: 'taken', lease: { ...lease, held }, isLow };
  }
  if (now < lease.emptyUntil) return { kind: 'refused', wait: Math.max(1, lease.returnsAt - now) };
  return { kind: 'needed' };
}

/** The lease with what was granted at `now`. */
export function extendLease(lease: RequestLease, { granted, wait }: TokenGrant, now: number): RequestLease {
  if (granted === 0) {
    const pause = Math.min(leaseTime, Math.max(emptyPause, wait));
    return { ...lease, size: halved(lease.size), emptyUntil: now + pause, returnsAt: now + wait };
  }
  const held = (now < lease.until ? lease.held : 0) + granted;
  return { ...lease, held, until: now + leaseTime, size: nextSize(lease, now), leasedAt: now };
}

/** Twice or half as much as before, so that a lease lasts neither for too short nor for too long. */
function nextSize({ size, leasedAt }: RequestLease, now: number): number {
  if (now - leasedAt < shortLease) return Math.min(largestLease, size * 2);
  return now - leasedAt > longLease ? halved(size) : size;
}

function halved(size: number): number {
  return Math.max(1, Math.floor(size / 2));
}
