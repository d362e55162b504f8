import type { TreePageView } from '#contracts';
import { Controller, Inject, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import { treeQuery } from '#contracts';
import { rootFeed } from '#core';
import type { CollectionKey } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { findTree, findTreeFeed } from './find-tree.ts';
import { treeFeedView } from './tree-feed-view.ts';
import { treeItemViews } from '#items';
import { treeItems } from './tree-items.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class TreeController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readTree')
  async read(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: treeQuery }) { feed: id = rootFeed, hidden, ...query }: z.infer<typeof treeQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TreePageView> {
    const { store, publicUrl } = this.ports;
    const collection = await findTree(this.ports, key);
    const feed = await findTreeFeed(this.ports, key, id);
    const document =
      feed.url === undefined ? undefined : (await store.documents.load(key, [feed.url])).get(feed.url);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => treeItems(store, key, id, hidden === 'true', wanted),
      ({ place }) => place,
    );
    const views = await treeItemViews(
      this.ports,
      collection,
      page.items.map(({ item }) => item),
    );
    const items = views.map(({ id, guid, title, hidden, lastBuildDate, links }) => ({
      id,
      guid,
      title,
      hidden,
      lastBuildDate,
      links,
    }));
    return {
      feed: treeFeedView(publicUrl, feed, document),
      ...showPage(response, publicUrl, { ...page, items }, (item) => item),
    };
  }
}
