import type { AnyItemView, ConflictingItemView, DeletionView, ItemsQuery, Page } from '#contracts';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { ItemNotFoundError, itemUrl } from '#protocol';
import { itemDeletion, itemsQuery, pageQuery } from '#contracts';
import { nameOf, Slices } from '#core';
import type { CollectionKey, ItemId } from '#core';
import { callerOf } from '../access/principal.ts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { jsonBytes, readPage, showPage } from '../pages/page.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { reserveKey } from '../requests/idempotency-key.ts';
import { readPatch } from '../requests/merge-patch.ts';
import { expectedRevision } from '../requests/preconditions.ts';
import { deleteItem } from './delete-item.ts';
import { deletionView } from './deletion-view.ts';
import { edit } from './edit.ts';
import type { EditRequest, ItemPatch } from './edit.ts';
import { itemViews } from '#items';
import { conflictViews } from './conflict-view.ts';
import { conflictPlace, listConflicts } from './list-conflicts.ts';
import { listItems } from './list-items.ts';
import { sendItem } from './send-item.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam, ItemParam } from '../requests/path-parameter.ts';

@Controller()
export class ItemsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listItems')
  async list(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: itemsQuery }) query: ItemsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<AnyItemView>> {
    return this.#list(key, query, response);
  }

  @Route('listConflicts')
  async conflicts(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<AnyItemView>> {
    return this.#list(key, { ...query, state: 'conflict' }, response);
  }

  @Route('listAllConflicts')
  async allConflicts(
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<ConflictingItemView>> {
    const { publicUrl } = this.ports;
    const caller = callerOf(request);
    const slices = new Slices();
    const page = await readPage(
      query,
      this.ports,
      (wanted) => listConflicts(this.ports, caller, wanted),
      conflictPlace,
      ({ item }) => jsonBytes(item.content),
      { query: 'conflicts' },
    );
    await slices.rest();
    const views = await conflictViews(this.ports, page.items);
    await slices.rest();
    return showPage(response, publicUrl, { ...page, items: views }, (view) => view);
  }

  @Route('createItem')
  async create(
    @CollectionParam() key: CollectionKey,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = await findCollection(this.ports, key);
    const keyed = await reserveKey(this.ports, key, request);
    const item = await edit(
      this.ports,
      collection,
      { action: 'create', body: request.body as unknown },
      undefined,
      keyed,
    );
    const url = itemUrl(this.ports.publicUrl, key, item.id);
    response.status(201).location(url).set('Content-Location', url);
    await sendItem(this.ports, collection, item, request, response);
  }

  @Route('readItem')
  async read(
    @CollectionParam() key: CollectionKey,
    @ItemParam() id: ItemId,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = await findCollection(this.ports, key);
    await this.ports.reads.memory();
    const slices = new Slices();
    const item = (await this.ports.store.items.load(key, [id])).get(id);
    if (item === undefined) throw new ItemNotFoundError(key, id);
    await slices.rest();
    await sendItem(this.ports, collection, item, request, response);
  }

  @Route('updateItem')
  async update(
    @CollectionParam() key: CollectionKey,
    @ItemParam() id: ItemId,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(key, { action: 'update', id, body: request.body as unknown }, request, response);
  }

  @Route('patchItem')
  async patch(
    @CollectionParam() key: CollectionKey,
    @ItemParam() id: ItemId,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(key, { action: 'update', id, patch: readPatch(request) }, request, response);
  }

  @Route('deleteItem')
  async remove(
    @CollectionParam() key: CollectionKey,
    @ItemParam() id: ItemId,
    @Query({ schema: itemDeletion }) query: z.infer<typeof itemDeletion>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const expected = expectedRevision(request.headers['if-match']);
    const collection = await findCollection(this.ports, key);
    const keyed = await reserveKey(this.ports, key, request);
    const { item, deletion } = await deleteItem(this.ports, collection, { id, body: query }, expected, keyed);
    if (deletion === undefined) return sendItem(this.ports, collection, item, request, response);
    const view = deletionView(this.ports, deletion);
    response.status(202).location(view.links.self).json(view);
  }

  @Route('readDeletion')
  async deletion(
    @CollectionParam() key: CollectionKey,
    @Param('deletion') id: string,
  ): Promise<DeletionView> {
    await findCollection(this.ports, key);
    const found = await this.ports.store.branchDeletions.find(key, id);
    if (found !== undefined) return deletionView(this.ports, found);
    throw new ProblemError(
      404,
      'deletion-not-found',
      `The collection "${nameOf(key)}" has no deletion "${id}".`,
    );
  }

  @Route('undeleteItem')
  async undelete(
    @CollectionParam() key: CollectionKey,
    @ItemParam() id: ItemId,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const isPatch = request.is('application/merge-patch+json') !== false && request.body !== undefined;
    const change = isPatch ? { patch: readPatch(request) } : { body: request.body as unknown };
    await this.#edit(key, { action: 'undelete', id, ...change }, request, response);
  }

  @Route('resolveItem')
  async resolve(
    @CollectionParam() key: CollectionKey,
    @ItemParam() id: ItemId,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(key, { action: 'resolve', id, body: request.body as unknown }, request, response);
  }

  async #edit(
    key: CollectionKey,
    wanted: Exclude<EditRequest, { action: 'create' }> | ItemPatch,
    request: Request,
    response: Response,
  ): Promise<void> {
    const expected = expectedRevision(request.headers['if-match']);
    const [collection, loaded] = await Promise.all([
      findCollection(this.ports, key),
      this.ports.store.items.load(key, [wanted.id]),
    ]);
    const keyed = await reserveKey(this.ports, key, request);
    const item = await edit(this.ports, collection, wanted, expected, keyed, loaded);
    await sendItem(this.ports, collection, item, request, response);
  }

  async #list(key: CollectionKey, query: ItemsQuery, response: Response): Promise<Page<AnyItemView>> {
    const collection = await findCollection(this.ports, key);
    const slices = new Slices();
    const page = await listItems(this.ports, collection, query);
    await slices.rest();
    const views = await itemViews(this.ports, collection, page.items);
    await slices.rest();
    return showPage(response, this.ports.publicUrl, { ...page, items: views }, (view) => view);
  }
}
