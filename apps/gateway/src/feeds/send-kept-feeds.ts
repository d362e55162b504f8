import type { IncomingMessage, ServerResponse } from 'node:http';
import { nameOf, permits } from '#core';
import type { OpenResponses } from '../access/open-responses.ts';
import { principalOf } from '../access/principal.ts';
import { keepPrivate } from '../access/published-feeds.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { Step } from '../requests/front.ts';
import type { KeptFeed } from './feed-cache.ts';
import { sendKept } from './send-feed.ts';

/**
 * Responds to requests for feeds that are kept, as their route would, without the way there. A feed is kept
 * under its path as the route writes it. Whatever else is requested is for the route: a path that is written
 * in another way, a feed that is not kept as it would be now or that the sender may not read, and what is to
 * be said if the store is away.
 */
export function sendKeptFeeds(ports: GatewayPorts, open: OpenResponses): Step {
  const send = async (known: KeptFeed, ...[request, response, next]: Parameters<Step>): Promise<void> => {
    const kept = await ports.feeds.findUnchanged(known, ports.clock).catch(() => undefined);
    if (kept === undefined || !(await mayRead(ports, kept, request, response))) return next();
    open.watchCollection(nameOf(kept.collection.key), response);
    await sendKept(ports, kept, request, response);
  };
  return (request, response, next) => {
    const { method, url = '' } = request;
    const known = method === 'GET' || method === 'HEAD' ? ports.feeds.find(url) : undefined;
    return known === undefined ? next() : send(known, request, response, next);
  };
}

/** Whether the sender may read a feed; that no one else may keep it is noted on the response. */
async function mayRead(
  { authentication, suspended }: Pick<GatewayPorts, 'authentication' | 'suspended'>,
  { collection: { key, isPublic = false } }: KeptFeed,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (await suspended.includes(nameOf(key)).catch(() => true)) return false;
  if (!authentication.isRequired || isPublic) return true;
  if (!permits(principalOf(request)?.grants ?? [], 'feeds', nameOf(key))) return false;
  keepPrivate(response);
  return true;
}
