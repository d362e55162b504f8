import type { Request, Response } from 'express';

/** The media type of lines of JSON. */
const lines = 'application/x-ndjson';

/** How far a subscription list is: how many of its feeds have been dealt with. */
export type ListProgress = (done: number, total: number) => void;

/** Whether the client wants to know how far it is, before it gets the result. */
export function wantsProgress(request: Request): boolean {
  return request.accepts(['application/json', lines]) === lines;
}

/**
 * Responds with a line of JSON for each step, `{ done, total }`, and one with the result at the end. If the
 * work fails, the response breaks off without a result.
 */
export async function sendProgress<Result>(
  response: Response,
  work: (progress: ListProgress) => Promise<Result>,
): Promise<void> {
  const line = (value: unknown): boolean => response.write(`${JSON.stringify(value)}\n`);
  response.type(lines).set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }).flushHeaders();
  const result = await work((done, total) => void line({ done, total }));
  line({ result });
  response.end();
}
