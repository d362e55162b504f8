import type { RequestHandler } from 'express';
import type { GatewayPorts } from '../gateway-ports.ts';
import { sendKept } from './send-feed.ts';

/**
 * Responds to requests for feeds that are kept, as their route would, without the way there. A feed is kept
 * under its path as the route writes it. Whatever else is requested is for the route: a path that is written
 * in another way, a feed that is not kept as it would be now, and what is to be said if the store is away.
 */
export function sendKeptFeeds(ports: GatewayPorts): RequestHandler {
  return async (request, response, next) => {
    const { method, url } = request;
    const known = method === 'GET' || method === 'HEAD' ? ports.feeds.find(url) : undefined;
    const source = await known?.readSource().catch(() => undefined);
    const current =
      source === undefined ? undefined : ports.feeds.findCurrent(url, source, ports.clock.now());
    if (current === undefined) next();
    else await sendKept(ports, current, request, response);
  };
}
