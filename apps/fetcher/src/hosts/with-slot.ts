import { hostOf } from '#core';
import type { HttpFetch } from '#core';

/** Requests of which the first one to a host uses the slot that was taken for it. */
export function withSlot(http: HttpFetch, host: string, slot: () => void): HttpFetch {
  let left: (() => void) | undefined = slot;
  return {
    get(request) {
      if (left === undefined || hostOf(request.url) !== host) return http.get(request);
      const own = left;
      left = undefined;
      return http.get({ ...request, slot: own });
    },
  };
}
