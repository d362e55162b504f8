import { Controller, Get, HttpCode, Inject, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { exportOutline, importOutline, isHierarchical } from '#items';
import { collectionName } from '#contracts';
import type { Collection } from '#core';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { refuseKey } from '../requests/idempotency-key.ts';
import { sendText } from '../requests/send-text.ts';
import {
  ApiOutlineBody,
  readOutlineBody,
  sendOutlineDocument,
  wantsOutlineDocument,
} from './outline-document.ts';
import { outlineTree } from './outline-tree.ts';

const treeQuery = z.strictObject({
  depth: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, 'a whole number from 1')
    .optional()
    .describe('How many levels are shown; all by default.'),
});
const additionQuery = z.strictObject({
  parent: z
    .string()
    .min(1)
    .optional()
    .describe('The outline that the new ones are to stand in; below the root by default.'),
});

@ApiTags('outlines')
@Controller('v1/collections/:collection/outline')
export class OutlineController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({
    summary:
      'Shows the outlines as a tree, in order and without the deleted ones; as text/x-opml, plain OPML ' +
      'for aggregators.',
  })
  @ApiProduces('application/json', 'text/x-opml')
  async read(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: treeQuery }) query: z.infer<typeof treeQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = await this.#outlineOf(name);
    if (wantsOutlineDocument(request))
      return sendOutlineDocument(response, name, await exportOutline(this.#itemPorts(), collection));
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
    });
    await sendText(
      this.ports,
      outlineTree(this.ports.store, collection, Number(query.depth ?? Infinity)),
      request,
      response,
    );
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Adds the outlines of an OPML document, after what is there, and answers how many.',
  })
  @ApiOutlineBody()
  async add(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: additionQuery }) query: z.infer<typeof additionQuery>,
    @Req() request: Request,
  ) {
    refuseKey(
      request,
      'sent again, it would add the outlines once more. PUT brings the collection in step, however often ' +
        'it is sent.',
    );
    return this.#import(name, request, {
      ...(query.parent !== undefined && { parent: query.parent }),
      mode: 'add',
    });
  }

  @Put()
  @ApiOperation({
    summary:
      'Brings the collection in step with an OPML document, and answers what that took: outlines ' +
      'created, updated, moved, deleted and unchanged.',
  })
  @ApiOutlineBody()
  async replace(@Param('collection', { schema: collectionName }) name: string, @Req() request: Request) {
    return this.#import(name, request, { mode: 'replace' });
  }

  async #import(name: string, request: Request, options: Parameters<typeof importOutline>[3]) {
    const collection = await this.#outlineOf(name);
    const counts = await importOutline(this.#itemPorts(), collection, readOutlineBody(request), options);
    this.ports.jobs.publish(name);
    return counts;
  }

  /** Throws `ProblemError` 404 where there is no such collection, 409 where its items are no outlines. */
  async #outlineOf(name: string): Promise<Collection> {
    const collection = await findCollection(this.ports, name);
    if (isHierarchical(collection)) return collection;
    throw new ProblemError(
      409,
      'not-an-outline',
      `The collection "${name}" has the format ${collection.format}; only one of the format opml is an ` +
        'outline.',
    );
  }

  #itemPorts() {
    const { store, clock, publicUrl, random } = this.ports;
    return { store, publicUrl, now: () => clock.now(), identifier: () => random.identifier() };
  }
}
