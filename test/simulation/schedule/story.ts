/** What happens in a simulated time; in days from its beginning. */
export interface Story {
  readonly subscriptions: number;
  readonly hosts: number;
  readonly days: number;
  readonly seed: number;
  /** What the longest interval of a subscription is, in seconds. */
  readonly longestInterval: number;
  /** A host gives no connection. */
  readonly outage: { readonly from: number; readonly until: number };
  /** Another one responds with 503 and `Retry-After`. */
  readonly overload: { readonly from: number; readonly until: number };
  /** All fetchers are stopped, and started again. */
  readonly stop: { readonly from: number; readonly until: number };
}

const hours = (number: number): number => number / 24;

/** The whole story, in as many days as given. */
export function storyOf(size: Pick<Story, 'subscriptions' | 'hosts' | 'days' | 'seed'>): Story {
  const { days } = size;
  const outage = days * 0.4;
  const stop = Math.floor(days * 0.7) + hours(10);
  return {
    ...size,
    longestInterval: 86_400,
    outage: { from: outage, until: outage + hours(3) },
    overload: { from: outage, until: outage + hours(1) },
    stop: { from: stop, until: stop + hours(1) },
  };
}
