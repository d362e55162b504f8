import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { nameOf } from '#core';
import type { CollectionKey } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { readerFeedUrls } from './feed-url.ts';
import { readerFeed, rootOf } from './reader-feed.ts';
import { sendFeed } from './send-feed.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class ReaderFeedsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readReaderFeed')
  async read(
    @CollectionParam() key: CollectionKey,
    @Param('format') format: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { publicUrl } = this.ports;
    const collection = await findCollection(this.ports, key);
    const feeds = readerFeedUrls(publicUrl, collection);
    if (feeds === undefined) {
      const outline = `${publicUrl}/v1/collections/${nameOf(key)}/outline`;
      throw new ProblemError(
        404,
        'feed-not-found',
        `"${nameOf(key)}" holds outlines, which are no entries; aggregators import them from ${outline}.`,
        { outline },
      );
    }
    if (format !== 'atom' && format !== 'rss')
      throw new ProblemError(
        404,
        'feed-not-found',
        `The feed for readers of "${nameOf(key)}" is published as Atom and as RSS: ${feeds.atom}, ` +
          `${feeds.rss}.`,
        { feeds },
      );
    const root = await rootOf(this.ports, collection);
    await sendFeed(this.ports, readerFeed(this.ports, collection, format, root), request, response);
  }
}
