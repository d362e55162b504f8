import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { z } from 'zod';
import { collectionName } from '#contracts';
import type { TreeFeed } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pageQuery, readPage, showPage } from '../pages/page.ts';
import { findTree, findTreeFeed } from './find-tree.ts';
import { putTreeFeed, removeTreeFeed } from './put-tree-feed.ts';
import { treeFeedBody, treeFeedId } from './tree-feed-body.ts';
import type { TreeFeedBody } from './tree-feed-body.ts';
import { treeFeedView } from './tree-feed-view.ts';
import type { TreeFeedView } from './tree-feed-view.ts';

@ApiTags('trees')
@Controller('v1/collections/:collection/feeds')
export class TreeFeedsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({ summary: 'Lists the feeds of a tree (CSE) by id.' })
  async list(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { store, publicUrl } = this.ports;
    await findTree(this.ports, name);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.feeds.list(name, wanted),
      ({ id }) => id,
    );
    return showPage(
      response,
      publicUrl,
      { ...page, items: await this.#views(name, page.items) },
      (view) => view,
    );
  }

  @Put(':feed')
  @ApiOperation({
    summary: 'Creates a feed in a tree of our own (201), or changes what it says of itself (200).',
  })
  async put(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('feed', { schema: treeFeedId }) id: string,
    @Body({ schema: treeFeedBody.prefault({}) }) body: TreeFeedBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { created, feed } = await putTreeFeed(this.ports, name, id, body);
    response.status(created ? 201 : 200);
    return treeFeedView(this.ports.publicUrl, feed);
  }

  @Get(':feed')
  @ApiOperation({ summary: 'Reads what a feed of a tree says of itself.' })
  async read(@Param('collection', { schema: collectionName }) name: string, @Param('feed') id: string) {
    await findTree(this.ports, name);
    return (await this.#views(name, [await findTreeFeed(this.ports, name, id)]))[0];
  }

  @Delete(':feed')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Removes a feed from a tree of our own, once nothing is in it and nothing links to it.',
  })
  async remove(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('feed') id: string,
  ): Promise<void> {
    await removeTreeFeed(this.ports, name, id);
  }

  async #views(collection: string, feeds: readonly TreeFeed[]): Promise<TreeFeedView[]> {
    const { store, publicUrl } = this.ports;
    const documents = await store.documents.load(
      collection,
      feeds.flatMap(({ url }) => url ?? []),
    );
    return feeds.map((feed) => treeFeedView(publicUrl, feed, documents.get(feed.url ?? '')));
  }
}
