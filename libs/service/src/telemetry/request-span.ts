import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { remoteContext, tracer } from './tracing.ts';

/** A request that is being answered. */
export interface RequestSpan {
  /** Does something as part of it. */
  run(work: () => void): void;
  /** @param path that of the operation, with parameters in place of values */
  end(path: string, status: number): void;
}

/** Begins the span of a request, in the trace that its header `traceparent` tells of, if there is one. */
export function beginRequest(method: string, headers: object): RequestSpan {
  const within = remoteContext(headers);
  const attributes = { 'http.request.method': method };
  const span = tracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, within);
  return {
    run: (work) => context.with(trace.setSpan(within, span), work),
    end(path, status) {
      span.updateName(`${method} ${path}`);
      span.setAttributes({ 'http.route': path, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
