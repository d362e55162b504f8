import type { FileView, Page, StoredFileView } from '#contracts';
import { Controller, Inject, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { collectionName, pageQuery } from '#contracts';
import { ContentError } from '#core';
import type { Collection, Content } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { findOwnTree, findTree } from '../tree/find-tree.ts';
import { fileUrl } from '../tree/tree-address.ts';
import { storeFile } from './store-file.ts';
import { Route } from '../requests/route.ts';

@Controller()
export class CollectionFilesController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listFiles')
  async list(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<FileView>> {
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
        createdAt: createdAt.toISOString(),
        unreferencedSince: unreferencedSince?.toISOString(),
      }),
    );
  }

  @Route('storeFile')
  async create(
    @Param('collection', { schema: collectionName }) name: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StoredFileView> {
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
   * Throws `ProblemError` 404, and keeps nothing, if the collection was removed while the file was sent,
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
