import type { ImportedOutlineView } from '#contracts';
import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { exportOutline, importOutline } from '#items';
import { isHierarchical } from '#protocol';
import { additionQuery, outlineQuery } from '#contracts';
import { nameOf } from '#core';
import type { Collection, CollectionKey } from '#core';
import { currentActor } from '../audit/change-in-progress.ts';
import { findCollection } from '../collections/find-collection.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { refuseKey } from '../requests/idempotency-key.ts';
import { sendText } from '../requests/send-text.ts';
import { textReadOnce } from '../texts/shared-text.ts';
import { readOutlineBody, sendOutlineDocument, wantsOutlineDocument } from './outline-document.ts';
import { outlineTree } from './outline-tree.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class OutlineController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('readOutline')
  async read(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: outlineQuery }) query: z.infer<typeof outlineQuery>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = await this.#outlineOf(key);
    if (wantsOutlineDocument(request)) {
      const document = await this.ports.reads.run(() => exportOutline(this.ports, collection));
      return sendOutlineDocument(this.ports, nameOf(key), document, request, response);
    }
    response.set({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Accept-Encoding',
    });
    await sendText(
      this.ports,
      textReadOnce(
        this.ports.reads,
        outlineTree(this.ports.store, collection, Number(query.depth ?? Infinity)),
      ),
      request,
      response,
    );
  }

  @Route('addOutlines')
  async add(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: additionQuery }) query: z.infer<typeof additionQuery>,
    @Req() request: Request,
  ): Promise<ImportedOutlineView> {
    refuseKey(
      request,
      'sent again, it would add the outlines once more. PUT brings the collection in step, however often ' +
        'it is sent.',
    );
    return this.#import(key, request, {
      ...(query.parent !== undefined && { parent: query.parent }),
      mode: 'add',
    });
  }

  @Route('replaceOutline')
  async replace(
    @CollectionParam() key: CollectionKey,
    @Req() request: Request,
  ): Promise<ImportedOutlineView> {
    return this.#import(key, request, { mode: 'replace' });
  }

  async #import(
    key: CollectionKey,
    request: Request,
    options: Parameters<typeof importOutline>[3],
  ): Promise<ImportedOutlineView> {
    const collection = await this.#outlineOf(key);
    const document = await readOutlineBody(request);
    const counts = await importOutline(this.#itemPorts(), collection, document, options);
    this.ports.jobs.publish(key);
    return counts;
  }

  /** Throws `ProblemError` 404 if there is no such collection, 409 if its items are no outlines. */
  async #outlineOf(key: CollectionKey): Promise<Collection> {
    const collection = await findCollection(this.ports, key);
    if (isHierarchical(collection)) return collection;
    throw new ProblemError(
      409,
      'not-an-outline',
      `The collection "${nameOf(key)}" has the format ${collection.format}; only one of the format opml ` +
        'is an outline.',
    );
  }

  #itemPorts() {
    const { store, clock, publicUrl, random } = this.ports;
    return {
      store,
      publicUrl,
      actor: currentActor(),
      now: () => clock.now(),
      identifier: () => random.identifier(),
    };
  }
}
