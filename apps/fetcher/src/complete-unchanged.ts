import type { Cursor, FetchResponse, Subscription } from '#core';
import type { FetchManifest } from './fetch-manifest.ts';
import type { FetchPorts } from './fetch-ports.ts';
import { hints } from './hints.ts';
import { trustInHub } from './hubs/hub-trust.ts';
import { nextFetchAfterSuccess } from './next-fetch.ts';
import { recordCompletion } from './record-completion.ts';
import { usualInterval } from './rhythm/usual-interval.ts';
import { stillStated } from './stated-schedule.ts';

/**
 * Ends the fetch of a feed that has not changed.
 * @param cursor what it becomes, if its validators have changed
 */
export async function completeUnchanged(
  ports: FetchPorts,
  subscription: Subscription,
  manifest: FetchManifest,
  { freshness }: Pick<FetchResponse, 'freshness'>,
  cursor?: Cursor,
): Promise<void> {
  const moment = hints(ports);
  const { now } = moment;
  await recordCompletion(ports, manifest, {
    report: { at: now, outcome: 'not-modified' },
    ...(cursor && { cursor }),
    ...nextFetchAfterSuccess(subscription, {
      ...moment,
      rhythm: usualInterval(subscription, moment),
      ...stillStated(subscription.stated, now),
      ...(freshness.seconds !== undefined && { freshness: freshness.seconds }),
      announces: trustInHub(subscription, false, now).announces,
    }),
  });
}
