import { Agent, request } from 'undici';

/** One request of a load. */
export interface LoadRequest {
  readonly url: string;
  readonly method?: 'GET' | 'PUT' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends requests over a number of connections, each as soon as the one before it on the same connection is
 * answered. Returns the milliseconds that each took. Throws if one is answered with another status.
 * @param requestAt the request of a number from 0
 */
export async function sendLoad(
  count: number,
  clients: number,
  expected: number,
  requestAt: (index: number) => LoadRequest,
): Promise<number[]> {
  const dispatcher = new Agent({ connections: clients, pipelining: 1 });
  const latencies: number[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const { url, method = 'GET', headers = {}, body } = requestAt(index);
      const startedAt = performance.now();
      const response = await request(url, { dispatcher, method, headers, ...(body && { body }) });
      await response.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      latencies.push(performance.now() - startedAt);
      if (response.statusCode !== expected)
        throw new Error(`${method} ${url}: ${response.statusCode} in place of ${expected}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, send));
  } finally {
    await dispatcher.close();
  }
  return latencies;
}
