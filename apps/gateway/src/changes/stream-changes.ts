import { once } from 'node:events';
import type { Response } from 'express';
import { parseCursor } from '#messages';
import type { ChangeEvent } from '#messages';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { PublicationWatch } from './publication-watch.ts';
import { readChanges } from './read-changes.ts';
import type { Changes } from './read-changes.ts';

/** How many changes are read at once, and after how many milliseconds without any the client is told that we are there. */
const [batch, heartbeat] = [500, 15_000];

/**
 * Sends changes as server-sent events, as they are published and as fast as the client takes them, until it goes away. The id
 * of an event is its cursor.
 * @param first what to begin with
 */
export async function streamChanges(ports: GatewayPorts, watch: PublicationWatch, name: string, first: Changes, response: Response, signal: AbortSignal): Promise<void> {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }).flushHeaders();
  const send = async (text: string): Promise<void> => {
    if (!response.write(text)) await once(response, 'drain', { signal });
  };
  let { changes, next } = first;
  while (!signal.aborted && !watch.closed) {
    for (const change of changes) await send(serverSentEvent(change));
    if (changes.length === 0 && !(await watch.newer(name, parseCursor(next) ?? 0, heartbeat, signal))) await send(': nothing new\n\n');
    ({ changes, next } = await readChanges(ports, name, next, batch));
  }
  response.end();
}

function serverSentEvent(change: ChangeEvent): string {
  return `id: ${change.sequence}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`;
}
