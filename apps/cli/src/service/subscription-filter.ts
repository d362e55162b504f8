/** Which subscriptions a command is for. */
export interface SubscriptionFilter {
  /** Those of all collections if it is absent. */
  readonly collection?: string;
  readonly state?: string;
  /** Why the last fetch failed. */
  readonly cause?: string;
}

/** The path of the subscriptions of a filter, or of something about them. */
export function subscriptionsPath({ collection, state, cause }: SubscriptionFilter, part = ''): string {
  const given = Object.entries({ collection, state, cause }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  return `/v1/subscriptions${part}${query === '' ? '' : `?${query}`}`;
}
