import type { SubscriptionView } from '#contracts';
import { nameOf, subscriptionState, withoutUserInfo } from '#core';
import type { FeedHub, Subscription } from '#core';

/**
 * A subscription as it is shown. `feed` is what the feed says of itself, once it has been read; `last` how
 * the last fetch went; `progress` how far the walk through a tree is, or how far the last one came.
 * @param lateBefore as `subscriptionState` takes it
 * @param signedElsewhere how many of its items were refused because someone else signs as this endpoint does
 */
export function subscriptionView(
  subscription: Subscription,
  lateBefore: Date,
  signedElsewhere?: number,
): SubscriptionView {
  const {
    collection,
    id,
    url,
    status,
    interval,
    adopt,
    adoptedAs,
    nextFetchAt,
    nextFetchReason,
    discover,
    discoveredOn,
    failures,
    last,
    succeededAt,
    cursor: { etag, lastModified, digest, until },
    manifest,
    feed,
    progress,
    userAgent,
    acceptLanguage,
    credentials,
    hub,
    createdAt,
  } = subscription;
  return {
    collection: nameOf(collection),
    id,
    url: withoutUserInfo(url),
    status,
    state: subscriptionState(subscription, lateBefore),
    interval,
    nextFetchAt: nextFetchAt.toISOString(),
    nextFetchReason,
    isFetching: manifest !== undefined,
    ...(adoptedAs !== undefined && { adopt: adopt ?? ('auto' as const), adoptedAs }),
    ...(discover && { discover }),
    ...(discoveredOn !== undefined && { discoveredOn: withoutUserInfo(discoveredOn) }),
    failures,
    last: last && { ...last, at: last.at.toISOString() },
    ...(succeededAt && { succeededAt: succeededAt.toISOString() }),
    cursor: {
      ...(etag !== undefined && { etag }),
      ...(lastModified !== undefined && { lastModified }),
      ...(digest !== undefined && { digest }),
      ...(until !== undefined && { until }),
    },
    ...(feed && { feed: { title: feed.title, aggregated: feed.aggregated } }),
    ...(signedElsewhere !== undefined && { signedElsewhere }),
    ...(progress && { progress }),
    ...(userAgent !== undefined && { userAgent }),
    ...(acceptLanguage !== undefined && { acceptLanguage }),
    ...(credentials && { credentials: { kind: credentials.kind } }),
    ...(hub && { hub: hubView(hub) }),
    createdAt: createdAt.toISOString(),
  };
}

function hubView({ url, topic, leasedUntil, announcedAt, reason }: FeedHub): SubscriptionView['hub'] {
  return {
    url,
    topic,
    ...(leasedUntil && { leasedUntil: leasedUntil.toISOString() }),
    ...(announcedAt && { announcedAt: announcedAt.toISOString() }),
    ...(reason !== undefined && { reason }),
  };
}
