import type { AnyItemView, Page } from '#contracts';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { ItemNotFoundError, itemUrl } from '#protocol';
import { collectionName, itemDeletion, itemIdSegment, itemsQuery, pageQuery } from '#contracts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { jsonBytes, readPage, showPage } from '../pages/page.ts';
import { reserveKey } from '../requests/idempotency-key.ts';
import { readPatch } from '../requests/merge-patch.ts';
import { expectedRevision } from '../requests/preconditions.ts';
import { edit } from './edit.ts';
import type { EditRequest, ItemPatch } from './edit.ts';
import { itemViews } from './item-view.ts';
import { sendItem } from './send-item.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class ItemsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listItems')
  async list(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: itemsQuery }) query: z.infer<typeof itemsQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<AnyItemView>> {
    return this.#list(name, query, query.deleted === 'false' ? { deleted: false } : {}, response);
  }

  @Route('listConflicts')
  async conflicts(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<AnyItemView>> {
    return this.#list(name, query, { conflicts: true }, response);
  }

  @Route('createItem')
  async create(
    @Param('collection', { schema: collectionName }) name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = await findCollection(this.ports, name);
    const keyed = await reserveKey(this.ports, name, request);
    const item = await edit(
      this.ports,
      collection,
      { action: 'create', body: request.body as unknown },
      undefined,
      keyed,
    );
    const url = itemUrl(this.ports.publicUrl, name, item.id);
    response.status(201).location(url).set('Content-Location', url);
    await sendItem(this.ports, collection, item, request, response);
  }

  @Route('readItem')
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = await findCollection(this.ports, name);
    const item = (await this.ports.store.items.load(name, [id])).get(id);
    if (item === undefined) throw new ItemNotFoundError(name, id);
    await sendItem(this.ports, collection, item, request, response);
  }

  @Route('updateItem')
  async update(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(name, { action: 'update', id, body: request.body as unknown }, request, response);
  }

  @Route('patchItem')
  async patch(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(name, { action: 'update', id, patch: readPatch(request) }, request, response);
  }

  @Route('deleteItem')
  async remove(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Query({ schema: itemDeletion }) query: z.infer<typeof itemDeletion>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(name, { action: 'delete', id, body: query }, request, response);
  }

  @Route('undeleteItem')
  async undelete(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const isPatch = request.is('application/merge-patch+json') !== false && request.body !== undefined;
    const change = isPatch ? { patch: readPatch(request) } : { body: request.body as unknown };
    await this.#edit(name, { action: 'undelete', id, ...change }, request, response);
  }

  @Route('resolveItem')
  async resolve(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(name, { action: 'resolve', id, body: request.body as unknown }, request, response);
  }

  async #edit(
    name: string,
    wanted: EditRequest | ItemPatch,
    request: Request,
    response: Response,
  ): Promise<void> {
    const expected = expectedRevision(request.headers['if-match']);
    const collection = await findCollection(this.ports, name);
    const keyed = await reserveKey(this.ports, name, request);
    await sendItem(
      this.ports,
      collection,
      await edit(this.ports, collection, wanted, expected, keyed),
      request,
      response,
    );
  }

  async #list(
    name: string,
    query: z.infer<typeof pageQuery>,
    filter: { deleted?: boolean; conflicts?: boolean },
    response: Response,
  ): Promise<Page<AnyItemView>> {
    const { store, publicUrl } = this.ports;
    const collection = await findCollection(this.ports, name);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.items.list(name, { ...wanted, ...filter }),
      ({ id }) => id,
      ({ content }) => jsonBytes(content),
    );
    const views = await itemViews(this.ports, collection, page.items);
    return showPage(response, publicUrl, { ...page, items: views }, (view) => view);
  }
}
