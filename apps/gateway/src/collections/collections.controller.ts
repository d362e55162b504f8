import type { CollectionView, Page, RenewedCollectionView } from '#contracts';
import { Body, Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionsQuery, visibilityBody } from '#contracts';
import type { Collection, CollectionKey } from '#core';
import { callerOf } from '../access/principal.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { readPatch } from '../requests/merge-patch.ts';
import { collectionBody, endpointBody } from './collection-body.ts';
import type { CollectionBody } from './collection-body.ts';
import { countCollections } from './collection-counts.ts';
import { collectionView } from './collection-view.ts';
import { findCollection } from './find-collection.ts';
import { patchCollection } from './patch-collection.ts';
import { putCollection } from './put-collection.ts';
import { readableCollections } from './readable-collections.ts';
import { renewEndpoint } from './renew-endpoint.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class CollectionsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listCollections')
  async list(
    @Query({ schema: collectionsQuery }) query: z.infer<typeof collectionsQuery>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<CollectionView>> {
    const { store, publicUrl } = this.ports;
    const page = await readPage(
      query,
      this.ports,
      (wanted) => readableCollections(store, callerOf(request).grants, wanted),
      ({ key }) => key,
    );
    const keys = query.counts === 'false' ? [] : page.items.map(({ key }) => key);
    const countsOf = keys.length === 0 ? undefined : await countCollections(this.ports, keys);
    return showPage(response, publicUrl, page, (collection) =>
      collectionView(collection, publicUrl, countsOf?.(collection.key)),
    );
  }

  @Route('putCollection')
  async put(
    @CollectionParam() key: CollectionKey,
    @Body({ schema: collectionBody.prefault({}) }) body: CollectionBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CollectionView> {
    const { created, collection } = await putCollection(this.ports, key, body);
    response.status(created ? 201 : 200);
    return this.#view(collection);
  }

  @Route('readCollection')
  async read(@CollectionParam() key: CollectionKey): Promise<CollectionView> {
    return this.#view(await findCollection(this.ports, key));
  }

  @Route('patchCollection')
  async patch(@CollectionParam() key: CollectionKey, @Req() request: Request): Promise<CollectionView> {
    return this.#view(await patchCollection(this.ports, key, readPatch(request)));
  }

  @Route('setVisibility')
  async setVisibility(
    @CollectionParam() key: CollectionKey,
    @Body({ schema: visibilityBody }) { visibility }: z.infer<typeof visibilityBody>,
  ): Promise<CollectionView> {
    await this.ports.store.collections.setPublic(key, visibility === 'public');
    return this.#view(await findCollection(this.ports, key));
  }

  @Route('renewEndpoint')
  async renewEndpoint(
    @CollectionParam() key: CollectionKey,
    @Body({ schema: endpointBody.prefault({}) }) body: z.infer<typeof endpointBody>,
  ): Promise<RenewedCollectionView> {
    const { collection, deadLetters } = await renewEndpoint(this.ports, key, body.endpoint);
    return { ...(await this.#view(collection)), deadLetters };
  }

  @Route('removeCollection')
  async remove(@CollectionParam() key: CollectionKey): Promise<void> {
    const { store, clock } = this.ports;
    if (!(await store.collections.remove(key))) await findCollection(this.ports, key);
    await store.hubs.wake(key, undefined, clock.now());
  }

  async #view(collection: Collection): Promise<CollectionView> {
    const countsOf = await countCollections(this.ports, [collection.key]);
    return collectionView(collection, this.ports.publicUrl, countsOf(collection.key));
  }
}
