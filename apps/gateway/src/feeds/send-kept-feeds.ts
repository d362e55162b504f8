import type { Request, RequestHandler, Response } from 'express';
import { parseCursor } from '#contracts';
import { collectionKey } from '#core';
import type { Format } from '#xml';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { FeedName } from './feed-cache.ts';
import { sendKept } from './send-feed.ts';

const feedPath = /^\/feeds\/([a-z0-9][a-z0-9-]{0,62})(\/complete)?\.(atom|rss|opml)(?:\?since=([0-9]{16}))?$/;

/**
 * Responds to requests for feeds that are kept, as their route would, without the way there. Whatever else is
 * requested is for the route, and so is what is to be said if the store is away.
 */
export function sendKeptFeeds(ports: GatewayPorts): RequestHandler {
  return async (request, response, next) => {
    const name = feedName(request);
    if (name === undefined || !ports.feeds.has(name)) next();
    else if (!(await sendIfCurrent(ports, name, request, response))) next();
  };
}

/** Returns false, and sends nothing, if the feed is not kept as its collection is now. */
async function sendIfCurrent(
  ports: GatewayPorts,
  name: FeedName,
  request: Request,
  response: Response,
): Promise<boolean> {
  const collection = await ports.store.collections.find(name.collection).catch(() => undefined);
  const kept = collection && ports.feeds.find(name, collection, ports.clock.now());
  if (collection === undefined || kept === undefined) return false;
  await sendKept(ports, collection, kept, request, response);
  return true;
}

/** The feed of a collection that a request is for, if its path says so in the usual way. */
function feedName({ method, url }: Pick<Request, 'method' | 'url'>): FeedName | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const [, collection, complete, format, since] = feedPath.exec(url) ?? [];
  if (collection === undefined) return undefined;
  const wanted = since === undefined ? undefined : parseCursor(since);
  if (since !== undefined && wanted === undefined) return undefined;
  return {
    collection: collectionKey(collection),
    variant: complete === undefined ? 'partial' : 'complete',
    format: format as Format,
    ...(wanted !== undefined && { wanted }),
  };
}
