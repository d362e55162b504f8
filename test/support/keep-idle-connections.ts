import type { Server } from 'node:http';

/**
 * Lets idle connections stay open until the server ends. By default they are closed after 5 seconds, which
 * may pass between two requests on a loaded machine: a client that sends the second one at that moment fails,
 * and no test is about that.
 */
export function keepIdleConnections(server: Server): void {
  server.keepAliveTimeout = 0;
}
