import { UnreachableError } from './service-error.ts';
import { readLines } from './read-lines.ts';
import type { Service, ServiceRequest } from './service.ts';

/** A line of a response that says how far its work is. */
type WorkLine<Result> = { readonly done: number; readonly total: number } | { readonly result: Result };

/**
 * Sends a request whose response says how far its work is, and returns the result. The time limit is that
 * of each step.
 * @throws as `Service.reply` does; UnreachableError if the response ends without a result
 */
export async function followedWork<Result>(
  service: Service,
  path: string,
  { method = 'POST', body, type = 'application/json' }: ServiceRequest & { readonly body: Uint8Array },
  show: (progress: { readonly done: number; readonly total: number }) => void,
): Promise<Result> {
  const timeout = service.stepTimeout();
  try {
    const response = await service.open(path, {
      method,
      headers: { accept: 'application/x-ndjson, application/json;q=0.5', 'content-type': type },
      body: body as Uint8Array<ArrayBuffer>,
      signal: timeout.signal,
    });
    if (/\bapplication\/json\b/.test(response.headers.get('content-type') ?? ''))
      return (await response.json()) as Result;
    for await (const line of readLines(response.body ?? emptyBody())) {
      timeout.renew();
      const step = JSON.parse(line) as WorkLine<Result>;
      if ('result' in step) return step.result;
      show(step);
    }
  } catch (error) {
    throw service.failure(error);
  } finally {
    timeout.end();
  }
  throw new UnreachableError(`the service at ${service.url} broke off; what it had done so far stays`);
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
