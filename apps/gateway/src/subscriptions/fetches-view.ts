import type { FetchesView } from '#contracts';
import type { FetchRecord, Subscription } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';

/**
 * The latest fetches of a subscription as they are shown, without those of a former one of its name. Throws
 * `ProblemError` 503 if Redis does not respond.
 */
export async function fetchesView(
  { fetches }: Pick<GatewayPorts, 'fetches'>,
  { collection, id, createdAt }: Subscription,
): Promise<FetchesView> {
  const recent = await fetches.recentFetches(collection, id).catch((cause: unknown) => {
    throw new ProblemError(
      503,
      'unavailable',
      `Redis, which keeps the fetches, is not available: ${String(cause)}`,
    );
  });
  return { items: recent.filter(({ startedAt }) => startedAt >= createdAt).map(view) };
}

function view({ startedAt, at, ...rest }: FetchRecord): FetchesView['items'][number] {
  return {
    startedAt: startedAt.toISOString(),
    durationMs: at.getTime() - startedAt.getTime(),
    ...rest,
  };
}
