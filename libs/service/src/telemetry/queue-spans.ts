import { BullMQOtel } from 'bullmq-otel';
import { isTracing } from './tracing.ts';

/** What carries traces over the queues, as an option of BullMQ; none if this process makes no traces. */
export function queueSpans(): { readonly telemetry?: BullMQOtel } {
  return isTracing() ? { telemetry: new BullMQOtel({ tracerName: 'bullmq' }) } : {};
}
