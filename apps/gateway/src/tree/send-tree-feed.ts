import type { Request, Response } from 'express';
import { feedAddress } from '#cse';
import { nameOf, rootFeed } from '#core';
import type { Collection } from '#core';
import { mediaTypes } from '../feeds/media-types.ts';
import { sendUnmodified } from '../feeds/validators.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { sendText } from '../requests/send-text.ts';
import { findTreeFeed } from './find-tree.ts';
import { composeTreeFeed } from './tree-feed.ts';
import { writeTreeFeed } from './write-tree-feed.ts';

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
  const { store, clock } = ports;
  const feed = await findTreeFeed(ports, collection.key, id);
  if (format !== collection.format) throw noSuchTreeFeed(ports, collection, id);
  const answer = await composeTreeFeed(store, collection, feed, clock.now());
  if (sendUnmodified(request, response, answer)) return;
  response.set('Content-Type', mediaTypes.rss);
  await sendText(ports, writeTreeFeed(ports, collection, answer), request, response);
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
