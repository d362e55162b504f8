import type { IncomingMessage, ServerResponse } from 'node:http';
import { beginRequest, isTracing } from '#service';
import { pathOf } from './measure-requests.ts';

/** Answers a request in a span of its own, in its client's trace if its header `traceparent` names one. */
export function traceRequest(request: IncomingMessage, response: ServerResponse, next: () => void): void {
  if (!isTracing()) return next();
  const span = beginRequest(request.method ?? '', request.headers);
  response.once('close', () => span.end(pathOf(request), response.statusCode));
  span.run(next);
}
