import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** How a document can be refused: a status, a body that breaks off, never ends, or comes a byte at a time. */
export type SiteFailure = 404 | 500 | 'cut off' | 'endless' | 'slow';

/** Responds to a request as a failure says; `body` is what would have been answered. */
export async function answerFailure(
  failure: SiteFailure,
  response: ServerResponse,
  body: string,
): Promise<void> {
  if (typeof failure === 'number') response.writeHead(failure).end();
  else if (failure === 'endless') await writeForever(response);
  else if (failure === 'slow') await trickle(response, body);
  else {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) + 1 });
    response.write(body, () => response.destroy());
  }
}

async function writeForever(response: ServerResponse): Promise<void> {
  const piece = Buffer.alloc(65_536, 0x61);
  const closed = once(response, 'close');
  response.writeHead(200);
  while (!response.destroyed) {
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed]);
  }
}

async function trickle(response: ServerResponse, body: string): Promise<void> {
  const bytes = Buffer.from(body);
  response.writeHead(200, { 'content-length': bytes.length });
  for (let place = 0; place < bytes.length && !response.destroyed; place += 1) {
    response.write(bytes.subarray(place, place + 1));
    await wait(100);
  }
  response.end();
}
