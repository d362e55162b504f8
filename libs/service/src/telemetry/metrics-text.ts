import { collectDefaultMetrics, register } from 'prom-client';

let isCollecting = false;

/**
 * What this process has measured so far, in Prometheus's text format (0.0.4): what is counted here, and what
 * Node says of memory, processor time, garbage collection and the event loop.
 */
export async function metricsText(): Promise<string> {
  if (!isCollecting) {
    isCollecting = true;
    collectDefaultMetrics();
  }
  return register.metrics();
}

/** The media type of that text. */
export const metricsType: string = register.contentType;
