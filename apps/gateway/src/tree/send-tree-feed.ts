import type { Request, Response } from 'express';
import { feedAddress } from '#cse';
import { nameOf, rootFeed } from '#core';
import type { Collection } from '#core';
import { sendFeed } from '../feeds/send-feed.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { findTreeFeed } from './find-tree.ts';
import { treeFeed } from './tree-feed.ts';

/**
 * Responds with a feed of a tree. Throws `ProblemError` 404 if there is no such feed, or not in this
 * format.
 */
export async function sendTreeFeed(
  ports: GatewayPorts,
  collection: Collection,
  id: string,
  format: string,
  request: Request,
  response: Response,
): Promise<void> {
  const feed = await findTreeFeed(ports, collection.key, id);
  if (format !== collection.format) throw noSuchTreeFeed(ports, collection, id);
  await sendFeed(ports, treeFeed(ports, collection, feed), request, response);
}

/** That a feed of a tree is not published in another format, nor as a partial and a complete one. */
export function noSuchTreeFeed(
  { publicUrl }: Pick<GatewayPorts, 'publicUrl'>,
  { key }: Pick<Collection, 'key'>,
  feed: string = rootFeed,
): ProblemError {
  const url = feedAddress(publicUrl, key, feed);
  return new ProblemError(
    404,
    'feed-not-found',
    `The collection "${nameOf(key)}" is a tree of feeds, each published whole and as RSS: ${url}.`,
    { feeds: { rss: url } },
  );
}
