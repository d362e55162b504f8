import type { FeedHubChange, HubSubscription } from '#core';

/** What a hub says by GET (WebSub, 5.2 and 5.3). */
export type HubMessage =
  | {
      readonly mode: 'subscribe';
      readonly topic: string;
      readonly challenge: string;
      /** Seconds; undefined if the hub does not say. */
      readonly lease: number | undefined;
    }
  | { readonly mode: 'unsubscribe'; readonly topic: string; readonly challenge: string }
  | { readonly mode: 'denied'; readonly topic: string; readonly reason: string };

/** How much of a reason is kept, in UTF-16 code units. */
const reasonLength = 500;

/** Reads the query of a GET; returns undefined for what says nothing, or anything twice. */
export function readHubMessage(query: URLSearchParams): HubMessage | undefined {
  const only = (name: string): string | undefined => {
    const values = query.getAll(`hub.${name}`);
    return values.length === 1 ? values[0] : undefined;
  };
  const names = ['mode', 'topic', 'challenge', 'lease_seconds', 'reason'];
  if (names.some((name) => query.getAll(`hub.${name}`).length > 1)) return undefined;
  const [mode, topic, challenge] = [only('mode'), only('topic'), only('challenge')];
  if (topic === undefined) return undefined;
  if (mode === 'denied') {
    const reason = (only('reason') ?? '').replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
    return { mode, topic, reason: reason.slice(0, reasonLength) };
  }
  if (challenge === undefined || challenge === '') return undefined;
  if (mode === 'unsubscribe') return { mode, topic, challenge };
  const lease = only('lease_seconds');
  if (mode !== 'subscribe' || (lease !== undefined && !/^[1-9]\d{0,14}$/.test(lease))) return undefined;
  return { mode, topic, challenge, lease: lease === undefined ? undefined : Number(lease) };
}

/** The lease in seconds of a hub that names none, and the longest: a day, and thirty. */
const [unsaidLease, longestLease] = [86_400, 2_592_000];

/** Which share of a lease has passed when it is renewed, and how far random may add to that. */
const [renewedAfter, renewalSpread] = [0.8, 0.1];

/** Milliseconds until a hub that has refused gets another request: a day. */
const deniedFor = 86_400_000;

/** What depends on the time and on random. */
interface VerificationTerms {
  readonly now: Date;
  /** From 0 (included) to 1 (excluded). */
  readonly fraction: number;
  /** Seconds after which a lease is renewed at the earliest. */
  readonly shortestLease: number;
}

/** What comes of a message of a hub. */
interface VerificationOutcome {
  /** What the subscription at the hub becomes; undefined if it has ended. */
  readonly row: HubSubscription | undefined;
  /** What becomes known of the hub. */
  readonly change: FeedHubChange;
}

/**
 * Decides what a message of a hub comes to: a verification, only of what was requested and is not verified
 * yet; a denial, also of what was verified before. Returns undefined for any other.
 * @param isWanted whether the feed is still read, and still names this hub
 */
export function verify(
  row: HubSubscription,
  message: HubMessage,
  isWanted: boolean,
  { now, fraction, shortestLease }: VerificationTerms,
): VerificationOutcome | undefined {
  if (message.topic !== row.topic) return undefined;
  const { pending, leasedUntil, ...rest } = row;
  if (message.mode === 'unsubscribe')
    return pending === 'unsubscribe' ? { row: undefined, change: { leasedUntil: null } } : undefined;
  if (message.mode === 'denied') {
    const isKnown = pending === 'subscribe' || (pending === undefined && (leasedUntil ?? now) > now);
    const reason = `the hub has refused${message.reason === '' ? '' : `: ${message.reason}`}`;
    return isKnown
      ? { row: { ...rest, nextAt: after(now, deniedFor) }, change: { leasedUntil: null, reason } }
      : undefined;
  }
  if (pending !== 'subscribe' || !isWanted) return undefined;
  const lease = Math.min(message.lease ?? unsaidLease, longestLease);
  const renewal = Math.max(lease * (renewedAfter + renewalSpread * fraction), shortestLease);
  const until = after(now, lease * 1000);
  return {
    row: { ...rest, leasedUntil: until, attempts: 0, nextAt: after(now, renewal * 1000) },
    change: { leasedUntil: until, reason: lease < shortestLease ? tooShort(lease) : null },
  };
}

/** Says why a hub is not relied on whose lease ends before it is renewed. */
function tooShort(lease: number): string {
  return `a lease of ${lease} s is too short to rely on (WEBSUB_SHORTEST_LEASE_SECONDS)`;
}

function after(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + Math.round(milliseconds));
}
