import { LatestEntries } from '#core';
import { cut, problemBody } from '../problems/problem-body.ts';
import { shownPath } from '../requests/shown-path.ts';
import { rateRefusal, retrySeconds } from './refusals.ts';
import type { RateRefusal } from './refusals.ts';

/** For how many tenants a refusal is kept. */
const maximumTenants = 1000;
/** How long the path in a problem is at most. */
const instanceLength = 4000;

/** All of a refusal but what differs with its request. */
export interface PreparedRefusal {
  readonly headers: Readonly<Record<string, string>>;
  /** The body (RFC 9457) for a path. */
  readonly bodyFor: (path: string) => string;
}

interface Kept extends PreparedRefusal {
  readonly reason: RateRefusal;
}

/** Composes the refusals of tenants that send too many requests, each once as long as it stays the same. */
export class PreparedRefusals {
  readonly #kept = new LatestEntries<string, Kept>(maximumTenants);

  /** The refusal that `rateRefusal` throws, as it is sent. */
  compose(reason: RateRefusal): PreparedRefusal {
    const kept = this.#kept.get(reason.name);
    if (kept !== undefined && isSame(kept.reason, reason)) return kept;
    const problem = rateRefusal(reason);
    const begin = JSON.stringify(problemBody(problem)).slice(0, -1);
    const composed = {
      reason,
      headers: problem.headers,
      bodyFor: (path: string) =>
        `${begin},"instance":${JSON.stringify(cut(shownPath(path), instanceLength))}}`,
    };
    this.#kept.set(reason.name, composed);
    return composed;
  }
}

function isSame(kept: RateRefusal, reason: RateRefusal): boolean {
  return (
    kept.tenant === reason.tenant &&
    kept.limits.rate === reason.limits.rate &&
    kept.limits.burst === reason.limits.burst &&
    retrySeconds(kept) === retrySeconds(reason)
  );
}
