import type { Request, Response } from 'express';
import type { Collection } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { contentCoding } from '../requests/content-coding.ts';
import { collectText, sendBuffer, sendText } from '../requests/send-text.ts';
import { currentFeed } from './current-feed.ts';
import type { FeedName, KeptFeed } from './feed-cache.ts';
import { feedItems } from './feed-items.ts';
import { mediaTypes } from './media-types.ts';
import { datedValidator, sendUnmodified } from './validators.ts';
import { writeFeed } from './write-feed.ts';

/**
 * Responds with a feed of a collection: 304, the bytes that are kept of it, or the feed as it is read.
 * Throws `ProblemError` 503 if too many are sent already.
 */
export async function sendFeed(
  ports: GatewayPorts,
  collection: Collection,
  name: FeedName,
  request: Request,
  response: Response,
): Promise<void> {
  const now = ports.clock.now();
  const kept =
    ports.feeds.find(name, collection, now) ??
    ports.feeds.keep(name, collection, await currentFeed(ports, collection, name, now), now);
  await sendKept(ports, collection, kept, request, response);
}

/** Responds with a feed that was composed from this collection. */
export async function sendKept(
  ports: GatewayPorts,
  collection: Collection,
  kept: KeptFeed,
  request: Request,
  response: Response,
): Promise<void> {
  const { feed } = kept;
  const validators = { etag: feed.etag, ...datedValidator(feed.updated, ports.clock.now()) };
  if (sendUnmodified(request, response, validators)) return;
  response.set('Content-Type', mediaTypes[feed.head.format]);
  const text = (): AsyncIterable<string> => writeFeed(feed, feedItems(ports, collection, feed));
  const coding = contentCoding(request);
  const body =
    request.method === 'HEAD'
      ? undefined
      : await ports.feeds.body(kept, coding?.name ?? 'identity', () =>
          collectText(ports, text(), coding, ports.feeds.bodyBytes),
        );
  if (body === undefined) await sendText(ports, text(), request, response);
  else await sendBuffer(ports, body, coding, request, response);
}
