import type { Completion, Store } from '#core';

/** The same store; `observe` is called with the fetches whose ends are recorded there. */
export function observedFetches<Observed extends Store>(
  store: Observed,
  observe: (completions: readonly Completion[]) => void,
): Observed {
  const { subscriptions } = store;
  return {
    ...store,
    subscriptions: {
      ...subscriptions,
      async complete(collection, id, manifest, result) {
        const isDone = await subscriptions.complete(collection, id, manifest, result);
        if (isDone) observe([{ collection, id, manifest, result }]);
        return isDone;
      },
      async completeAll(completions) {
        const done = await subscriptions.completeAll(completions);
        observe(completions);
        return done;
      },
      async completePublished(completion, ...publication) {
        const outcome = await subscriptions.completePublished(completion, ...publication);
        if (outcome === 'published') observe([completion]);
        return outcome;
      },
    },
  };
}
