import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';

/** What BullMQ's workers do in any case, every few seconds: no work of anyone's. */
const housekeeping = /^(getNextJob|startStalledCheckTimer|moveStalledJobsToWait|extendLocks) /;

/** Sends spans in batches, but for those of BullMQ's housekeeping. */
class WorkSpans extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    if (!housekeeping.test(span.name)) super.onEnd(span);
  }
}

/** Makes the global tracer one whose spans are sent to `<endpoint>/v1/traces`. */
export function openExport(service: string, endpoint: string): NodeTracerProvider {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `feedmesh-${service}` }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    spanProcessors: [new WorkSpans(exporter)],
  });
  provider.register();
  return provider;
}
