import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** Requests for one path of several servers in turn. */
export interface PacedLoad {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
  readonly perSecond: number;
  /** Connections to each server. */
  readonly connections: number;
}

/** Whether a load may end before all its requests are sent. */
interface Until {
  readonly signal?: AbortSignal;
}

export interface PacedResult {
  /** How many responses had each status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Milliseconds that each took, in ascending order. */
  readonly latencies: readonly number[];
  /** From the first request to the last response. */
  readonly seconds: number;
}

/**
 * Sends requests at a pace, whether those before are answered or not as long as there is a connection for
 * them, and waits for all responses.
 */
export async function sendPaced(
  { urls, headers, count, perSecond, connections }: PacedLoad,
  { signal }: Until = {},
): Promise<PacedResult> {
  const dispatcher = new Agent({ connections, pipelining: 1 });
  const statuses: Record<string, number> = {};
  const latencies: number[] = [];
  const send = async (url: string): Promise<void> => {
    const begin = performance.now();
    const { statusCode, body } = await request(url, { dispatcher, headers });
    await body.dump({ limit: Number.MAX_SAFE_INTEGER });
    latencies.push(performance.now() - begin);
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
  };
  const begin = performance.now();
  const sent: Promise<void>[] = [];
  const isComplete = (): boolean => sent.length >= count || signal?.aborted === true;
  while (!isComplete()) {
    const due = Math.min(count, Math.floor(((performance.now() - begin) / 1000) * perSecond) + 1);
    while (sent.length < due) sent.push(send(urls[sent.length % urls.length] ?? ''));
    await wait(2);
  }
  await Promise.all(sent);
  const seconds = (performance.now() - begin) / 1000;
  await dispatcher.close();
  return { statuses, latencies: latencies.sort((left, right) => left - right), seconds };
}

/** The latency that a share of all requests do not exceed, in milliseconds. */
export function percentile({ latencies }: Pick<PacedResult, 'latencies'>, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
}
