import type { DeadLetterStore, FetchReport, ItemStore, Store, SubscriptionStore } from '#core';
import {
  fetches,
  itemsFetched,
  itemsRejected,
  itemsWritten,
  leasesLost,
  racesLost,
  scheduleDelay,
  storeErrors,
  storeSeconds,
} from './instruments.ts';

/** The same store; what is done with it is measured. Ports are plain objects of bound methods. */
export function measuredStore<Measured extends Store>(store: Measured): Measured {
  return {
    ...store,
    accessKeys: timedPort('accessKeys', store.accessKeys),
    tenants: timedPort('tenants', store.tenants),
    installation: timedPort('installation', store.installation),
    collections: timedPort('collections', store.collections),
    items: countedItems(timedPort('items', store.items)),
    editKeys: timedPort('editKeys', store.editKeys),
    branchDeletions: timedPort('branchDeletions', store.branchDeletions),
    subscriptions: countedSubscriptions(timedPort('subscriptions', store.subscriptions)),
    hubs: timedPort('hubs', store.hubs),
    manifests: timedPort('manifests', store.manifests),
    notices: timedPort('notices', store.notices),
    changes: timedPort('changes', store.changes),
    deadLetters: countedDeadLetters(timedPort('deadLetters', store.deadLetters)),
    feeds: timedPort('feeds', store.feeds),
    documents: timedPort('documents', store.documents),
    contents: timedPort('contents', store.contents),
  };
}

function timedPort<Port extends object>(name: string, port: Port): Port {
  const methods = Object.entries(port) as [string, (...values: unknown[]) => unknown][];
  return Object.fromEntries(methods.map(([key, method]) => [key, timedMethod(name, method)])) as Port;
}

/** A method whose calls are timed if they return a promise: what is iterated waits for its reader. */
function timedMethod(
  port: string,
  method: (...values: unknown[]) => unknown,
): (...values: unknown[]) => unknown {
  return (...values) => {
    const begin = performance.now();
    const result = method(...values);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value: unknown) => {
        storeSeconds.observe({ port }, (performance.now() - begin) / 1000);
        return value;
      },
      (error: unknown) => {
        storeErrors.inc({ port });
        throw error;
      },
    );
  };
}

function countedSubscriptions(port: SubscriptionStore): SubscriptionStore {
  return {
    ...port,
    async findDue(collection, id, now) {
      const due = await port.findDue(collection, id, now);
      if (due !== undefined)
        scheduleDelay.observe(Math.max(0, now.getTime() - due.nextFetchAt.getTime()) / 1000);
      return due;
    },
    async renew(...values) {
      const isHeld = await port.renew(...values);
      if (!isHeld) leasesLost.inc({ of: 'subscription' });
      return isHeld;
    },
    async complete(collection, id, manifest, result) {
      const isDone = await port.complete(collection, id, manifest, result);
      if (isDone) countFetch(result.report);
      return isDone;
    },
    async completeAll(completions) {
      const done = await port.completeAll(completions);
      // How many, not which: where another fetch has begun meanwhile, this one is counted too.
      for (const { result } of completions) countFetch(result.report);
      return done;
    },
    async completePublished(completion, ...publication) {
      const outcome = await port.completePublished(completion, ...publication);
      if (outcome === 'published') countFetch(completion.result.report);
      return outcome;
    },
  };
}

function countFetch({ outcome, rule = '', items = 0 }: FetchReport): void {
  fetches.inc({ outcome, rule });
  itemsFetched.inc(items);
}

function countedItems(port: ItemStore): ItemStore {
  return {
    ...port,
    async compareAndSet(writes) {
      const lost = await port.compareAndSet(writes);
      itemsWritten.inc(writes.length - lost.length);
      racesLost.inc(lost.length);
      return lost;
    },
  };
}

function countedDeadLetters(port: DeadLetterStore): DeadLetterStore {
  return {
    ...port,
    async add(letters) {
      await port.add(letters);
      for (const { violations } of letters) itemsRejected.inc({ rule: violations[0]?.rule ?? '' });
    },
  };
}
