import type { Request, RequestHandler, Response } from 'express';
import { nameOf, permits } from '#core';
import { principalOf } from '../access/principal.ts';
import { keepPrivate } from '../access/published-feeds.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { KeptFeed } from './feed-cache.ts';
import { sendKept } from './send-feed.ts';

/**
 * Responds to requests for feeds that are kept, as their route would, without the way there. A feed is kept
 * under its path as the route writes it. Whatever else is requested is for the route: a path that is written
 * in another way, a feed that is not kept as it would be now or that the sender may not read, and what is to
 * be said if the store is away.
 */
export function sendKeptFeeds(ports: GatewayPorts): RequestHandler {
  return async (request, response, next) => {
    const { method, url } = request;
    const known = method === 'GET' || method === 'HEAD' ? ports.feeds.find(url) : undefined;
    const source = await known?.readSource().catch(() => undefined);
    const current =
      source === undefined ? undefined : ports.feeds.findCurrent(url, source, ports.clock.now());
    if (current === undefined || !(await mayRead(ports, current, request, response))) next();
    else await sendKept(ports, current, request, response);
  };
}

/** Whether the sender may read a feed; that no one else may keep it is noted on the response. */
async function mayRead(
  { authentication, suspended }: Pick<GatewayPorts, 'authentication' | 'suspended'>,
  { collection: { key, isPublic = false } }: KeptFeed,
  request: Request,
  response: Response,
): Promise<boolean> {
  if (await suspended.includes(nameOf(key)).catch(() => true)) return false;
  if (!authentication.isRequired || isPublic) return true;
  if (!permits(principalOf(request)?.grants ?? [], 'feeds', nameOf(key))) return false;
  keepPrivate(response);
  return true;
}
