import type { FetchHistory, Store } from '#core';
import { observedFetches } from './observed-fetches.ts';

/** The same store; each fetch whose end is recorded there is in the history of its subscription. */
export function recordedFetches<Recorded extends Store>(store: Recorded, history: FetchHistory): Recorded {
  return observedFetches(store, (completions) => history.recordFetches(completions));
}
