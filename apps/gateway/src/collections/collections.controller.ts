import {
  Body,
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
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionName } from '#contracts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pageQuery, readPage, showPage } from '../pages/page.ts';
import { ApiBody } from '../requests/api-body.ts';
import { patchTypes, readPatch } from '../requests/merge-patch.ts';
import { collectionBody, endpointBody } from './collection-body.ts';
import type { CollectionBody } from './collection-body.ts';
import { collectionView } from './collection-view.ts';
import { findCollection } from './find-collection.ts';
import { patchCollection } from './patch-collection.ts';
import { putCollection } from './put-collection.ts';
import { renewEndpoint } from './renew-endpoint.ts';

@ApiTags('collections')
@Controller('v1/collections')
export class CollectionsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({ summary: 'Lists the collections by name.' })
  async list(
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { store, publicUrl } = this.ports;
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.collections.list(wanted),
      ({ name }) => name,
    );
    return showPage(response, publicUrl, page, (collection) => collectionView(collection, publicUrl));
  }

  @Put(':collection')
  @ApiOperation({ summary: 'Creates a collection (201), or changes its title and settings (200).' })
  async put(
    @Param('collection', { schema: collectionName }) name: string,
    @Body({ schema: collectionBody.prefault({}) }) body: CollectionBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { created, collection } = await putCollection(this.ports, name, body);
    response.status(created ? 201 : 200);
    return collectionView(collection, this.ports.publicUrl);
  }

  @Get(':collection')
  @ApiOperation({ summary: 'Reads a collection.' })
  async read(@Param('collection', { schema: collectionName }) name: string) {
    return collectionView(await findCollection(this.ports, name), this.ports.publicUrl);
  }

  @Patch(':collection')
  @ApiOperation({
    summary: 'Changes what a merge patch names of a collection (RFC 7396); `null` takes a setting away.',
  })
  @ApiBody(collectionBody, { json: patchTypes })
  async patch(@Param('collection', { schema: collectionName }) name: string, @Req() request: Request) {
    return collectionView(await patchCollection(this.ports, name, readPatch(request)), this.ports.publicUrl);
  }

  @Post(':collection/endpoint')
  @HttpCode(200)
  @ApiOperation({
    summary:
      'Gives a collection another endpoint identifier, because someone else signs with its present one; ' +
      'then takes in what was refused for that.',
  })
  async renewEndpoint(
    @Param('collection', { schema: collectionName }) name: string,
    @Body({ schema: endpointBody.prefault({}) }) body: z.infer<typeof endpointBody>,
  ) {
    const { collection, deadLetters } = await renewEndpoint(this.ports, name, body.endpoint);
    return { ...collectionView(collection, this.ports.publicUrl), deadLetters };
  }

  @Delete(':collection')
  @HttpCode(204)
  @ApiOperation({ summary: 'Removes a collection with all its items and subscriptions, without tombstones.' })
  async remove(@Param('collection', { schema: collectionName }) name: string): Promise<void> {
    if (!(await this.ports.store.collections.remove(name))) await findCollection(this.ports, name);
  }
}
