import type { Store } from '#core';
import { isTracing, traceParent } from './tracing.ts';

/**
 * The same store; every item that is written keeps the trace of the work that wrote it, and its change goes
 * on with it.
 */
export function tracedStore<Traced extends Store>(store: Traced): Traced {
  if (!isTracing()) return store;
  return {
    ...store,
    items: {
      ...store.items,
      compareAndSet(writes) {
        const trace = traceParent();
        return store.items.compareAndSet(
          trace === undefined ? writes : writes.map((write) => ({ ...write, trace })),
        );
      },
    },
  };
}
