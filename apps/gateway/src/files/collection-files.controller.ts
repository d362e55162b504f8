import { Controller, Get, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionName } from '#contracts';
import { ContentError } from '#core';
import type { Collection, Content } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { pageQuery, readPage, showPage } from '../pages/page.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { findOwnTree, findTree } from '../tree/find-tree.ts';
import { fileUrl } from '../tree/tree-address.ts';
import { storeFile } from './store-file.ts';

@ApiTags('files')
@Controller('v1/collections/:collection/files')
export class CollectionFilesController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Get()
  @ApiOperation({
    summary:
      'Lists the files of a tree (CSE), those of its feeds among them, by digest, and how much refers to ' +
      'each.',
  })
  async list(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const {
      store: { contents, items, documents },
      publicUrl,
    } = this.ports;
    await findTree(this.ports, name);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => contents.list(name, wanted),
      ({ digest }) => digest,
    );
    const digests = page.items.map(({ digest }) => digest);
    const [linked, copies] = await Promise.all([
      items.referring(name, digests),
      documents.referring(name, digests),
    ]);
    const references = (digest: string): number => (linked.get(digest) ?? 0) + (copies.get(digest) ?? 0);
    return showPage(
      response,
      publicUrl,
      page,
      ({ digest, length, type, createdAt, unreferencedSince }: Content) => ({
        digest,
        length,
        type,
        url: fileUrl(publicUrl, name, digest),
        references: references(digest),
        createdAt,
        unreferencedSince,
      }),
    );
  }

  @Post()
  @ApiOperation({
    summary:
      'Keeps a file for the items of a tree of our own (CSE) to link to. What no item links to goes ' +
      'after a while.',
  })
  @ApiConsumes('*/*')
  @ApiBody({
    required: true,
    schema: {
      type: 'string',
      format: 'binary',
      description: 'The bytes, of the media type that they are to be served with.',
    },
  })
  async create(
    @Param('collection', { schema: collectionName }) name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const tree = await findOwnTree(this.ports, name);
    const { digest, length, type } = await this.#store(tree, request);
    const url = fileUrl(this.ports.publicUrl, name, digest);
    response.status(201).location(url);
    return { digest, length, type, url };
  }

  async #store(tree: Collection, request: Request): Promise<Content> {
    try {
      const content = await storeFile(this.ports, tree.name, request);
      await this.#checkStillThere(tree, content.digest);
      return content;
    } catch (error) {
      if (error instanceof ContentError) await this.#checkStillThere(tree, error.digest);
      throw error;
    }
  }

  /**
   * Throws `ProblemError` 404, and keeps nothing, where the collection was removed while the file was sent,
   * with some of its bytes perhaps.
   */
  async #checkStillThere({ name, createdAt }: Collection, digest: string): Promise<void> {
    const { collections, contents } = this.ports.store;
    if ((await collections.find(name))?.createdAt.getTime() === createdAt.getTime()) return;
    await contents.remove(name, digest);
    throw new ProblemError(
      404,
      'collection-not-found',
      `The collection "${name}" was removed while the file was sent.`,
    );
  }
}
