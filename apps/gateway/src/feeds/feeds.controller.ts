import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionName } from '#messages';
import { cursorQuery, readCursor } from '../changes/cursor.ts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { isUnmodified } from '../requests/preconditions.ts';
import { sendText } from '../requests/send-text.ts';
import { currentFeed } from './current-feed.ts';
import { feedItems } from './feed-items.ts';
import { feedUrls, publishedFormats } from './feed-url.ts';
import type { FeedVariant } from './feed-url.ts';
import { writeFeed } from './write-feed.ts';

const mediaTypes = { atom: 'application/atom+xml; charset=utf-8', rss: 'application/rss+xml; charset=utf-8', opml: 'text/x-opml; charset=utf-8' } as const;
const formatNames = { atom: 'Atom', rss: 'RSS', opml: 'OPML' } as const;

@ApiTags('feeds')
@Controller('feeds')
export class FeedsController {
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

  async #answer(name: string, wantedFormat: string, variant: FeedVariant, cursor: string | undefined, request: Request, response: Response): Promise<void> {
    const { publicUrl } = this.ports;
    const collection = await findCollection(this.ports, name);
    const format = publishedFormats(collection).find((published) => published === wantedFormat);
    if (format === undefined) {
      const feeds = feedUrls(publicUrl, collection, variant);
      const formats = publishedFormats(collection).map((published) => `as ${formatNames[published]}`).join(' and ');
      throw new ProblemError(404, 'feed-not-found', `The collection "${name}" is published ${formats}: ${Object.values(feeds).join(', ')}.`, { feeds });
    }
    const feed = await currentFeed(this.ports, collection, variant, format, readCursor(collection, cursor, publicUrl));
    response.set({ ETag: feed.etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    if (feed.lastModified !== undefined) response.set('Last-Modified', feed.lastModified.toUTCString());
    if (isUnmodified(request, feed.etag, feed.lastModified)) response.status(304).end();
    else await sendText(writeFeed(feed, feedItems(this.ports, collection, feed)), request, response.set('Content-Type', mediaTypes[format]));
  }
}
