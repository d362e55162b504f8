import type { DiscoveredFeedView, Page } from '#contracts';
import { Controller, Inject, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import { compareCodePoints, nameOf } from '#core';
import type { CollectionKey } from '#core';
import { pageQuery } from '#contracts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { allSubscriptions } from './all-subscriptions.ts';
import { discoveredFeeds } from './discovered-feeds.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class DiscoveredFeedsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listDiscoveredFeeds')
  async list(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<DiscoveredFeedView>> {
    const { store, publicUrl } = this.ports;
    const collection = await findCollection(this.ports, key);
    const feeds = discoveredFeeds(collection, await allSubscriptions(store, key), publicUrl);
    const load = async ({ after, limit }: { after?: string; limit: number }) =>
      feeds.filter(({ url }) => after === undefined || compareCodePoints(url, after) > 0).slice(0, limit);
    const page = await readPage(query, this.ports, load, ({ url }) => url);
    const subscriptions = `${publicUrl}/v1/collections/${nameOf(key)}/subscriptions`;
    return showPage(response, publicUrl, page, (feed) => ({
      ...feed,
      subscribe: { method: 'POST', url: subscriptions, body: { url: feed.url } },
    }));
  }
}
