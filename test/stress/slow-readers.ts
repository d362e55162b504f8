import { setTimeout as wait } from 'node:timers/promises';
import { RawRequest } from '../support/raw-request.ts';

/** Milliseconds until a reader comes back: it does not notice that it was disconnected, since it reads nothing. */
const patience = 40_000;

/**
 * Keeps so many clients connected to a gateway that ask for these paths in turn and never read, until the signal says so.
 */
export async function readSlowly(url: string, paths: readonly string[], count: number, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => stayConnected(url, paths[number % paths.length] ?? '/', signal)));
}

async function stayConnected(url: string, path: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const reader = await RawRequest.open(url).catch(() => undefined);
    reader?.stall();
    reader?.send(`GET ${path} HTTP/1.1\r\nHost: feedmesh.example\r\n\r\n`);
    await wait(reader ? patience : 500, undefined, { signal }).catch(() => {});
    reader?.close();
  }
}
