import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Express } from 'express';
import { failWork } from '#service';

/**
 * Something that is done with a request before Express has it: it responds, or calls `next`. What it throws
 * is what the request ends with.
 */
export type Step = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void | Promise<void>;

/** Has a server do these steps with each request, one after another, and then hand it to the application. */
export function putInFront(server: Server, application: Express, steps: readonly Step[]): void {
  server.off('request', application);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const take = (place: number): void => {
      const step = steps[place];
      if (step === undefined) return void application(request as never, response as never, failWork);
      const done = step(request, response, () => take(place + 1));
      if (done !== undefined) done.catch(failWork);
    };
    take(0);
  });
}
