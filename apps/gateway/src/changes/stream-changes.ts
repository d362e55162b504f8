import type { Response } from 'express';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ClientWriter } from '../requests/client-writer.ts';
import type { ChangeSource } from './change-source.ts';
import type { ChangesPage } from './read-changes.ts';
import { batch, streamBytes } from './live-streams.ts';
import type { PublicationWatch } from './publication-watch.ts';

/** The header of an event stream. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** What a stream needs besides its changes and its client. */
interface StreamPorts extends Pick<GatewayPorts, 'configuration'> {
  readonly watch: Pick<PublicationWatch, 'closed'>;
}

/**
 * Sends changes as server-sent events, as they are published and as fast as the client takes them, until it
 * goes away. The id of an event is its cursor. Throws `ClientGoneError`.
 * @param first what to begin with
 */
export async function streamChanges(
  { watch, configuration }: StreamPorts,
  source: ChangeSource,
  first: ChangesPage,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  response.set(streamHeaders).flushHeaders();
  const client = new ClientWriter(response, configuration.GATEWAY_STALL_SECONDS);
  let { view, isLast } = first;
  let text = source.text(view);
  while (!signal.aborted && !watch.closed) {
    await client.write(text);
    const next = isLast ? await source.follow(view.next, response, signal) : view.next;
    await client.drained();
    if (signal.aborted || watch.closed) break;
    ({ view, isLast } = await source.read(next, batch, streamBytes));
    text = source.text(view);
  }
  response.end(watch.closed ? farewell('the service is shutting down') : undefined);
}

/**
 * What ends a stream: the reason, as a comment, and that the client may come back at once, to another
 * gateway perhaps.
 */
export function farewell(reason: string): string {
  return `: ${reason}; connect again with Last-Event-ID\nretry: 1000\n\n`;
}
