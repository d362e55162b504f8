import type { Response } from 'express';
import type { CollectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ClientWriter } from '../requests/client-writer.ts';
import type { ChangesReader } from './changes-reader.ts';
import { eventsText } from './events-text.ts';
import type { ChangesPage } from './read-changes.ts';
import { batch, streamBytes } from './live-streams.ts';
import type { LiveStreams } from './live-streams.ts';
import type { PublicationWatch } from './publication-watch.ts';

/** The header of an event stream. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** What a stream needs besides its client. */
export interface StreamSource extends Pick<GatewayPorts, 'configuration'> {
  readonly reader: ChangesReader;
  readonly watch: PublicationWatch;
  readonly live: LiveStreams;
}

/** Reads what a stream begins with, at most `limit` changes. */
export function readForStream(
  { reader }: StreamSource,
  key: CollectionKey,
  cursor: string | undefined,
  limit: number,
): Promise<ChangesPage> {
  return reader.read(key, cursor, limit, streamBytes);
}

/**
 * Sends changes as server-sent events, as they are published and as fast as the client takes them, until it
 * goes away. The id of an event is its cursor. Throws `ClientGoneError`.
 * @param first what to begin with
 */
export async function streamChanges(
  source: StreamSource,
  key: CollectionKey,
  first: ChangesPage,
  response: Response,
  signal: AbortSignal,
): Promise<void> {
  const { watch, live, configuration } = source;
  response.set(streamHeaders).flushHeaders();
  const client = new ClientWriter(response, configuration.GATEWAY_STALL_SECONDS);
  let { view, isLast } = first;
  let text = eventsText(view);
  while (!signal.aborted && !watch.closed) {
    await client.write(text);
    const next = isLast ? await live.follow(key, view.next, response) : view.next;
    await client.drained();
    if (signal.aborted || watch.closed) break;
    ({ view, isLast } = await readForStream(source, key, next, batch));
    text = eventsText(view);
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
