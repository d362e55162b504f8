import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { collectionName } from '#contracts';
import { rootFeed } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pageParameters, readPage, showPage } from '../pages/page.ts';
import { findTree, findTreeFeed } from './find-tree.ts';
import { treeFeedView } from './tree-feed-view.ts';
import { treeItemViews } from './tree-item-view.ts';
import { treeItems } from './tree-items.ts';

const treeQuery = z.strictObject({
  ...pageParameters,
  feed: z.string().optional().describe('The id of a feed; `root` by default.'),
  hidden: z
    .enum(['true', 'false'])
    .default('true')
    .describe('`false` leaves out the items that a viewer does not show (csx:hiddenItem).'),
});

@ApiTags('trees')
@Controller('v1/collections/:collection/tree')
export class TreeController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({
    summary:
      'A feed of a tree (CSE) with its items in order and the state of everything that they link to: ' +
      'cached, stale, on-demand, failed (and why) or waiting.',
  })
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: treeQuery }) { feed: id = rootFeed, hidden, ...query }: z.infer<typeof treeQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { store, publicUrl } = this.ports;
    const collection = await findTree(this.ports, name);
    const feed = await findTreeFeed(this.ports, name, id);
    const document =
      feed.url === undefined ? undefined : (await store.documents.load(name, [feed.url])).get(feed.url);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => treeItems(store, name, id, hidden === 'true', wanted),
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
