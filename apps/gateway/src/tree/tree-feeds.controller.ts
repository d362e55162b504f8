import type { Page, TreeFeedBody, TreeFeedView } from '#contracts';
import { Body, Controller, Inject, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import { pageQuery, treeFeedBody, treeFeedId } from '#contracts';
import type { CollectionKey, TreeFeed } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { findTree, findTreeFeed } from './find-tree.ts';
import { putTreeFeed, removeTreeFeed } from './put-tree-feed.ts';
import { treeFeedView } from './tree-feed-view.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class TreeFeedsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listTreeFeeds')
  async list(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<TreeFeedView>> {
    const { store, publicUrl } = this.ports;
    await findTree(this.ports, key);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.feeds.list(key, wanted),
      ({ id }) => id,
    );
    return showPage(
      response,
      publicUrl,
      { ...page, items: await this.#views(key, page.items) },
      (view) => view,
    );
  }

  @Route('putTreeFeed')
  async put(
    @CollectionParam() key: CollectionKey,
    @Param('feed', { schema: treeFeedId }) id: string,
    @Body({ schema: treeFeedBody.prefault({}) }) body: TreeFeedBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TreeFeedView> {
    const { created, feed } = await putTreeFeed(this.ports, key, id, body);
    response.status(created ? 201 : 200);
    return treeFeedView(this.ports.publicUrl, feed);
  }

  @Route('readTreeFeed')
  async read(@CollectionParam() key: CollectionKey, @Param('feed') id: string) {
    await findTree(this.ports, key);
    return (await this.#views(key, [await findTreeFeed(this.ports, key, id)]))[0];
  }

  @Route('removeTreeFeed')
  async remove(@CollectionParam() key: CollectionKey, @Param('feed') id: string): Promise<void> {
    await removeTreeFeed(this.ports, key, id);
  }

  async #views(collection: CollectionKey, feeds: readonly TreeFeed[]): Promise<TreeFeedView[]> {
    const { store, publicUrl } = this.ports;
    const documents = await store.documents.load(
      collection,
      feeds.flatMap(({ url }) => url ?? []),
    );
    return feeds.map((feed) => treeFeedView(publicUrl, feed, documents.get(feed.url ?? '')));
  }
}
