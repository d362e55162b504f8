import { context, propagation, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Attributes, Context, Span, TimeInput, Tracer } from '@opentelemetry/api';

/** What sends spans away. */
interface Exporting {
  forceFlush(): Promise<void>;
}

let exporting: Exporting | undefined;

/**
 * Lets this process make traces, and send them by OTLP over HTTP to `<endpoint>/v1/traces`. OpenTelemetry's
 * SDK is loaded only here, and reads its own variables (`OTEL_TRACES_SAMPLER`, `OTEL_RESOURCE_ATTRIBUTES`,
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_BSP_…`). Another call in the same process changes nothing.
 * @param service stands in every span, unless `OTEL_SERVICE_NAME` is set
 */
export async function startTracing(service: string, endpoint: string): Promise<void> {
  if (exporting !== undefined) return;
  const { openExport } = await import('./trace-export.ts');
  exporting = openExport(service, endpoint);
}

/** Sends what has not been sent yet; that nobody takes it is no error of this process. */
export async function flushTraces(): Promise<void> {
  await exporting?.forceFlush().catch(() => {});
}

/** Whether this process makes traces. */
export function isTracing(): boolean {
  return exporting !== undefined;
}

/** The trace and the span that this code runs in, as fields of a log record; empty if there are none. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = exporting && trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

/** What goes on with this trace elsewhere gets (W3C Trace Context); undefined if it is not recorded. */
export function traceParent(): string | undefined {
  const span = exporting && trace.getActiveSpan()?.spanContext();
  if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return `00-${span.traceId}-${span.spanId}-01`;
}

/** Does work in a span of its own; without traces it only does the work. Throws what the work throws. */
export async function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span?: Span) => Promise<Result>,
  kind = SpanKind.INTERNAL,
): Promise<Result> {
  if (exporting === undefined) return work();
  return tracer().startActiveSpan(name, { attributes, kind }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** A span that has begun and ended elsewhere, in the trace of whatever `parent` says (`traceParent`). */
export function recordSpan(
  name: string,
  parent: string,
  attributes: Attributes,
  [startTime, endTime]: readonly [TimeInput, TimeInput],
): void {
  const within = remoteContext({ traceparent: parent });
  tracer().startSpan(name, { kind: SpanKind.PRODUCER, attributes, startTime }, within).end(endTime);
}

/** The trace that a message or a request carries in its headers, or none. */
export function remoteContext(headers: object): Context {
  return propagation.extract(context.active(), headers);
}

/** Who makes our spans. */
export function tracer(): Tracer {
  return trace.getTracer('feedmesh');
}
