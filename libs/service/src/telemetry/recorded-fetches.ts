import type { FetchHistory, Store } from '#core';

/** The same store; each fetch whose end is recorded there is in the history of its subscription. */
export function recordedFetches<Recorded extends Store>(store: Recorded, history: FetchHistory): Recorded {
  const { subscriptions } = store;
  return {
    ...store,
    subscriptions: {
      ...subscriptions,
      async complete(collection, id, manifest, result) {
        const isDone = await subscriptions.complete(collection, id, manifest, result);
        if (isDone) history.recordFetches([{ collection, id, manifest, result }]);
        return isDone;
      },
      async completeAll(completions) {
        const done = await subscriptions.completeAll(completions);
        history.recordFetches(completions);
        return done;
      },
    },
  };
}
