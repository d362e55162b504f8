import { isFeedTree } from '#protocols';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { cursorQuery } from '#contracts';
import { nameOf, rootFeed } from '#core';
import type { CollectionKey } from '#core';
import { readCursor } from '../changes/cursor.ts';
import type { FeedVariant } from '#protocol';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { invalidInput, ProblemError } from '../problems/problem-error.ts';
import { noSuchTreeFeed, sendTreeFeed } from '../tree/send-tree-feed.ts';
import { collectionFeed } from './collection-feed.ts';
import { feedUrls, publishedFormats } from './feed-url.ts';
import { sendFeed } from './send-feed.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

const formatNames = { atom: 'Atom', rss: 'RSS', opml: 'OPML' } as const;

@Controller()
export class FeedsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readPartialFeed')
  async partial(
    @CollectionParam() key: CollectionKey,
    @Param('format') format: string,
    @Query({ schema: cursorQuery }) query: z.infer<typeof cursorQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(key, format, 'partial', query.since, request, response);
  }

  @Route('readCompleteFeed')
  async complete(
    @CollectionParam() key: CollectionKey,
    @Param('format') format: string,
    @Query({ schema: cursorQuery }) query: z.infer<typeof cursorQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#answer(key, format, 'complete', query.since, request, response);
  }

  @Route('readNestedFeed')
  async nested(
    @CollectionParam() key: CollectionKey,
    @Param('feed') feed: string,
    @Param('format') format: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = await findCollection(this.ports, key);
    if (isFeedTree(collection)) return sendTreeFeed(this.ports, collection, feed, format, request, response);
    const feeds = feedUrls(this.ports.publicUrl, collection, 'partial');
    throw new ProblemError(
      404,
      'feed-not-found',
      `The collection "${nameOf(key)}" is no tree of feeds; it is published at ` +
        `${Object.values(feeds).join(', ')}.`,
      { feeds },
    );
  }

  async #answer(
    key: CollectionKey,
    wantedFormat: string,
    variant: FeedVariant,
    cursor: string | undefined,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { publicUrl } = this.ports;
    const collection = await findCollection(this.ports, key);
    if (isFeedTree(collection)) {
      if (variant === 'complete') throw noSuchTreeFeed(this.ports, collection);
      if (cursor !== undefined)
        throw invalidInput([{ path: 'query.since', message: 'a feed of a tree is always whole' }]);
      return sendTreeFeed(this.ports, collection, rootFeed, wantedFormat, request, response);
    }
    const format = publishedFormats(collection).find((published) => published === wantedFormat);
    if (format === undefined) {
      const feeds = feedUrls(publicUrl, collection, variant);
      const formats = publishedFormats(collection)
        .map((published) => `as ${formatNames[published]}`)
        .join(' and ');
      throw new ProblemError(
        404,
        'feed-not-found',
        `The collection "${nameOf(key)}" is published ${formats}: ${Object.values(feeds).join(', ')}.`,
        { feeds },
      );
    }
    const wanted = readCursor(collection, cursor, publicUrl);
    const name = { variant, format, ...(wanted !== undefined && { wanted }) };
    await sendFeed(this.ports, collectionFeed(this.ports, collection, name), request, response);
  }
}
