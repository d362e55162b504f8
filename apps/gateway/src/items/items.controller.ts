import {
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ItemNotFoundError, itemUrl } from '#items';
import { collectionName } from '#contracts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { jsonBytes, pageParameters, pageQuery, readPage, showPage } from '../pages/page.ts';
import { ApiBody } from '../requests/api-body.ts';
import { reserveKey } from '../requests/idempotency-key.ts';
import { patchTypes, readPatch } from '../requests/merge-patch.ts';
import { expectedRevision } from '../requests/preconditions.ts';
import { edit } from './edit.ts';
import type { EditRequest } from './edit.ts';
import { itemIdSegment } from './item-id-segment.ts';
import { itemCreation, itemDeletion, itemPatch, itemResolution, itemUpdate } from './item-body.ts';
import { itemViews } from './item-view.ts';
import { patchItem } from './patch-item.ts';
import type { ItemPatch } from './patch-item.ts';
import { sendItem } from './send-item.ts';

/** The media types of an item as XML. */
const itemTypes = ['application/atom+xml', 'application/rss+xml', 'text/x-opml'];

const itemsQuery = z.strictObject({
  ...pageParameters,
  deleted: z.enum(['true', 'false']).optional().describe('`false` leaves tombstones out.'),
});

const ApiKey = (): MethodDecorator =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Makes it safe to send the edit again: under the same key it is made once.',
  });

const ApiIfMatch = (): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'The ETag of the revision that the edit was made for; otherwise it is made to whatever there is.',
  });

@ApiTags('items')
@Controller('v1/collections/:collection')
@ApiProduces('application/json', ...itemTypes)
export class ItemsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get('items')
  @ApiOperation({ summary: 'Lists the items by id.' })
  async list(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: itemsQuery }) query: z.infer<typeof itemsQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.#list(name, query, query.deleted === 'false' ? { deleted: false } : {}, response);
  }

  @Get('conflicts')
  @ApiOperation({ summary: 'Lists the items that have conflicts, by id.' })
  async conflicts(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.#list(name, query, { conflicts: true }, response);
  }

  @Post('items')
  @ApiOperation({
    summary:
      'Creates an item (FeedSync 3.1, SSE 4.1), from JSON, from an Atom entry (RFC 5023, 9.2), an RSS ' +
      'item or an OPML outline. FeedSync takes Atom and RSS, whichever format the collection has; ' +
      'SSE its own format.',
  })
  @ApiBody(itemCreation, { xml: itemTypes })
  @ApiKey()
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

  @Get('items/:id')
  @ApiOperation({ summary: 'Reads an item with its conflicts; a deleted one too.' })
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

  @Put('items/:id')
  @ApiOperation({ summary: 'Gives an item new content or another place (FeedSync 3.2, SSE 4.2).' })
  @ApiBody(itemUpdate, { xml: itemTypes })
  @ApiIfMatch()
  @ApiKey()
  async update(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(name, { action: 'update', id, body: request.body as unknown }, request, response);
  }

  @Patch('items/:id')
  @ApiOperation({
    summary:
      'Changes what a merge patch names of an item (RFC 7396): its content, where `null` removes a ' +
      'value, its place or its links.',
  })
  @ApiBody(itemPatch, { json: patchTypes })
  @ApiIfMatch()
  @ApiKey()
  async patch(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#patch(name, { action: 'update', id, patch: readPatch(request) }, request, response);
  }

  @Delete('items/:id')
  @ApiOperation({
    summary:
      'Deletes an item (FeedSync 3.2, SSE 4.2), with its data or without, an outline with all that is in ' +
      'it; its tombstone stays, and is answered.',
  })
  @ApiIfMatch()
  @ApiKey()
  async remove(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Query({ schema: itemDeletion }) query: z.infer<typeof itemDeletion>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(name, { action: 'delete', id, body: query }, request, response);
  }

  @Post('items/:id/undelete')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Brings a deleted item back, with its last content, with new content, or with a merge patch of its ' +
      'last content.',
  })
  @ApiBody(itemUpdate, {
    required: false,
    json: ['application/json', 'application/merge-patch+json'],
    xml: itemTypes,
  })
  @ApiIfMatch()
  @ApiKey()
  async undelete(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const isPatch = request.is('application/merge-patch+json') !== false && request.body !== undefined;
    if (isPatch)
      await this.#patch(name, { action: 'undelete', id, patch: readPatch(request) }, request, response);
    else await this.#edit(name, { action: 'undelete', id, body: request.body as unknown }, request, response);
  }

  @Post('items/:id/resolve')
  @HttpCode(200)
  @ApiOperation({ summary: 'Resolves conflicts of an item (FeedSync 3.4, SSE 5).' })
  @ApiBody(itemResolution)
  @ApiIfMatch()
  @ApiKey()
  async resolve(
    @Param('collection', { schema: collectionName }) name: string,
    @Param('id', { schema: itemIdSegment }) id: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.#edit(name, { action: 'resolve', id, body: request.body as unknown }, request, response);
  }

  async #edit(name: string, wanted: EditRequest, request: Request, response: Response): Promise<void> {
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

  async #patch(name: string, wanted: ItemPatch, request: Request, response: Response): Promise<void> {
    const expected = expectedRevision(request.headers['if-match']);
    const collection = await findCollection(this.ports, name);
    const keyed = await reserveKey(this.ports, name, request);
    await sendItem(
      this.ports,
      collection,
      await patchItem(this.ports, collection, wanted, expected, keyed),
      request,
      response,
    );
  }

  async #list(
    name: string,
    query: z.infer<typeof pageQuery>,
    filter: { deleted?: boolean; conflicts?: boolean },
    response: Response,
  ) {
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
