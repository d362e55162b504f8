import { pipeline } from 'node:stream/promises';
import { Controller, Get, Inject, Logger, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionName } from '#messages';
import type { Collection } from '#ports';
import { cursorQuery, readCursor } from '../changes/cursor.ts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { isUnmodified } from '../requests/preconditions.ts';
import { allSubscriptions } from '../subscriptions/all-subscriptions.ts';
import { contentCoding } from './content-coding.ts';
import { composeFeed } from './feed.ts';
import type { Feed } from './feed.ts';
import { feedItems } from './feed-items.ts';
import { feedUrls } from './feed-url.ts';
import type { FeedVariant } from './feed-url.ts';
import { writeFeed } from './write-feed.ts';

const mediaTypes = { atom: 'application/atom+xml; charset=utf-8', rss: 'application/rss+xml; charset=utf-8' } as const;

@ApiTags('feeds')
@Controller('feeds')
export class FeedsController {
  readonly #logger = new Logger(FeedsController.name);

  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get(':collection.:format')
  @ApiOperation({ summary: 'The partial feed: the latest changes; with `since`, exactly what is newer.' })
  async partial(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('format') format: string,
    @Query({ schema: cursorQuery }) query: z.infer<typeof cursorQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(name, format, 'partial', query.since, request, response);
  }

  @Get(':collection/complete.:format')
  @ApiOperation({ summary: 'The complete feed: all items; with `since`, exactly what is newer.' })
  async complete(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('format') format: string,
    @Query({ schema: cursorQuery }) query: z.infer<typeof cursorQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(name, format, 'complete', query.since, request, response);
  }

  async #answer(name: string, format: string, variant: FeedVariant, cursor: string | undefined, request: Request, response: Response): Promise<void> {
    const { publicUrl, clock, store } = this.ports;
    const collection = await findCollection(this.ports, name);
    if (format !== 'atom' && format !== 'rss') {
      const feeds = feedUrls(publicUrl, collection, variant);
      throw new ProblemError(404, 'feed-not-found', `The collection "${name}" is published as Atom and as RSS: ${feeds.atom}, ${feeds.rss}.`, { feeds });
    }
    const subscriptions = await allSubscriptions(store, name);
    const feed = composeFeed(collection, variant, readCursor(collection, cursor, publicUrl), publicUrl, clock.now(), { format, subscriptions });
    response.set({ ETag: feed.etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    if (feed.lastModified !== undefined) response.set('Last-Modified', feed.lastModified.toUTCString());
    if (isUnmodified(request, feed.etag, feed.lastModified)) response.status(304).end();
    else await this.#send(collection, feed, request, response);
  }

  /** Reads only as fast as the client does, and stops where it goes away. */
  async #send(collection: Collection, feed: Feed, request: Request, response: Response): Promise<void> {
    const coding = contentCoding(request);
    response.set('Content-Type', mediaTypes[feed.head.format]);
    if (coding) response.set('Content-Encoding', coding.name);
    if (request.method === 'HEAD') return void response.end();
    const text = writeFeed(feed, feedItems(this.ports, collection, feed));
    try {
      await (coding ? pipeline(text, coding.create(), response) : pipeline(text, response));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
      this.#logger.debug(`a client went away while it read the feed of ${collection.name}`);
    }
  }
}
