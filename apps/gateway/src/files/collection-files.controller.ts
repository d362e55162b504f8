import type { FileView, Page, StoredFileView } from '#contracts';
import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { pageQuery } from '#contracts';
import { ContentError, nameOf } from '#core';
import type { Collection, CollectionKey, Content } from '#core';
import { noteSubject } from '../audit/change-in-progress.ts';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { findOwnTree, findTree } from '../tree/find-tree.ts';
import { fileUrl } from '../tree/tree-address.ts';
import { storeFile } from './store-file.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

@Controller()
export class CollectionFilesController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listFiles')
  async list(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: pageQuery }) query: z.infer<typeof pageQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<FileView>> {
    const {
      store: { contents, items, documents },
      publicUrl,
    } = this.ports;
    await findTree(this.ports, key);
    const page = await readPage(
      query,
      this.ports,
      (wanted) => contents.list(key, wanted),
      ({ digest }) => digest,
    );
    const digests = page.items.map(({ digest }) => digest);
    const [linked, copies] = await Promise.all([
      items.referring(key, digests),
      documents.referring(key, digests),
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
        url: fileUrl(publicUrl, key, digest),
        references: references(digest),
        createdAt: createdAt.toISOString(),
        unreferencedSince: unreferencedSince?.toISOString(),
      }),
    );
  }

  @Route('storeFile')
  async create(
    @CollectionParam() key: CollectionKey,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<StoredFileView> {
    const tree = await findOwnTree(this.ports, key);
    const { digest, length, type } = await this.#store(tree, request);
    noteSubject('file', digest);
    const url = fileUrl(this.ports.publicUrl, key, digest);
    response.status(201).location(url);
    return { digest, length, type, url };
  }

  async #store(tree: Collection, request: Request): Promise<Content> {
    try {
      const content = await storeFile(this.ports, tree.key, request);
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
  async #checkStillThere({ key, createdAt }: Collection, digest: string): Promise<void> {
    const { collections, contents } = this.ports.store;
    if ((await collections.find(key))?.createdAt.getTime() === createdAt.getTime()) return;
    await contents.remove(key, digest);
    throw new ProblemError(
      404,
      'collection-not-found',
      `The collection "${nameOf(key)}" was removed while the file was sent.`,
    );
  }
}
