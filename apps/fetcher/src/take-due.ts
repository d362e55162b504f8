import { dueWindow, pollKey, shareOut } from '#core';
import type { DueSubscription, FoundSubscription } from '#core';
import { DueFrom } from './due-from.ts';
import type { FetchPorts } from './fetch-ports.ts';
import type { FetchSettings } from './fetch-settings.ts';
import { fetchAtHost } from './fetch-subscription.ts';

/** Due subscriptions that a fetcher has taken. */
interface DueBatch {
  readonly subscriptions: readonly FoundSubscription[];
  /** Whether more may be due than was looked at or taken. */
  readonly isMore: boolean;
}

/**
 * Takes due subscriptions that no fetcher has, at most `limit`, of each host as many as it has free slots
 * for, and of the slow ones as many as there are places for. Collections take turns, the longest overdue
 * first in each, among as many of the longest overdue as are looked at. Each one must be passed to
 * `fetchAtHost`, and its poll lease ended.
 * @param dueFrom knows the looks before, and notes this one
 */
export async function takeDue(
  ports: FetchPorts,
  { lease }: FetchSettings,
  limit: number,
  dueFrom = new DueFrom(),
): Promise<DueBatch> {
  const { store, clock, hosts, slow, polls } = ports;
  const exceptHosts = hosts?.occupied ?? [];
  const now = clock.now();
  const from = dueFrom.at(now);
  const length = dueWindow(limit);
  const due = await store.subscriptions.listDue(now, {
    limit: length,
    exceptHosts,
    // What is being fetched is due until that has ended.
    ...(polls && { except: await polls.list() }),
    ...(from && { dueFrom: from }),
    exceptSlow: slow?.free === 0,
  });
  dueFrom.note(from, now, clock.now(), due[0]?.nextFetchAt);
  const shared = shareOut(due, {
    limit,
    ...(hosts && { freeAt: (host) => hosts.freeAt(host) }),
    ...(slow && { slow: slow.free }),
  });
  const isMore = shared.length < due.length || due.length === length || exceptHosts.length > 0;
  return { subscriptions: await take(ports, lease, shared, now), isMore };
}

/** Takes those that are free, and reads them afterwards: by then another fetcher may have fetched them. */
async function take(
  { store, polls }: FetchPorts,
  lease: number,
  due: readonly DueSubscription[],
  now: Date,
): Promise<FoundSubscription[]> {
  const keys = due.map(pollKey);
  const taken = new Set(await (polls?.take(keys, lease) ?? keys));
  const found = new Map<string, FoundSubscription>();
  try {
    const reads = due.filter((one) => taken.has(pollKey(one)));
    const rows = reads.map(({ collection, id }) => store.subscriptions.findDue(collection, id, now));
    for (const row of await Promise.all(rows)) if (row !== undefined) found.set(pollKey(row), row);
    return [...found.values()];
  } finally {
    await polls?.end([...taken].filter((key) => !found.has(key)));
  }
}

/** Takes what is due, at most so many, and fetches it, one after another. */
export async function fetchDue(ports: FetchPorts, settings: FetchSettings, limit: number): Promise<void> {
  ports.hosts?.resumeAll();
  for (const subscription of (await takeDue(ports, settings, limit)).subscriptions)
    try {
      await fetchAtHost(ports, settings, subscription);
    } finally {
      await ports.polls?.end([pollKey(subscription)]);
    }
}
