import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { z } from 'zod';
import { compareCodePoints } from '#feedsync';
import { collectionName } from '#messages';
import { rootFeed } from '#ports';
import type { PlacedItem } from '#ports';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pageParameters, readPage, showPage } from '../pages/page.ts';
import { findTree, findTreeFeed } from './find-tree.ts';
import { treeFeedView } from './tree-feed-view.ts';
import { treeItemViews } from './tree-item-view.ts';

const treeQuery = z.strictObject({ ...pageParameters, feed: z.string().optional().describe('The id of a feed; `root` by default.') });

@ApiTags('trees')
@Controller('v1/collections/:collection/tree')
export class TreeController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({ summary: 'A feed of a tree (CSE) with its items in order and the state of everything that they link to: cached, stale, on-demand, failed (and why) or waiting.' })
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: treeQuery }) { feed: id = rootFeed, ...query }: z.infer<typeof treeQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { store, publicUrl, limits } = this.ports;
    const collection = await findTree(this.ports, name);
    const feed = await findTreeFeed(this.ports, name, id);
    const document = feed.url === undefined ? undefined : (await store.documents.load(name, [feed.url])).get(feed.url);
    const live = (await store.items.children(name, [id])).filter(({ deleted }) => !deleted);
    const page = await readPage(query, limits.pageItems, async ({ after, limit }) => live.filter((item) => after === undefined || compareCodePoints(placeOf(item), after) > 0).slice(0, limit), placeOf);
    const loaded = await store.items.load(name, page.items.map((item) => item.id));
    const views = await treeItemViews(this.ports, collection, page.items.flatMap((item) => loaded.get(item.id) ?? []));
    const items = views.map(({ id, guid, title, hidden, lastBuildDate, links }) => ({ id, guid, title, hidden, lastBuildDate, links }));
    return { feed: treeFeedView(publicUrl, feed, document), ...showPage(response, publicUrl, { ...page, items }, (item) => item) };
  }
}

/** Where an item stands in its feed, as a text that compares by code point like that. */
function placeOf({ id, position: { key = '' } }: PlacedItem): string {
  return `${key} ${id}`;
}
