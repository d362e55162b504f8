import type { DocumentState, DocumentView, Page } from '#contracts';
import { Controller, Inject, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import { documentsQuery } from '#contracts';
import { pagesOf } from '#core';
import type { CollectionKey, DocumentStore, TreeDocument } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { documentState } from '#items';
import { documentView } from './document-view.ts';
import { findTree } from './find-tree.ts';
import { Route } from '../requests/route.ts';
import { CollectionParam } from '../requests/path-parameter.ts';

/** How many are looked at in one go for those in a state. */
const batch = 1000;

@Controller()
export class DocumentsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listDocuments')
  async list(
    @CollectionParam() key: CollectionKey,
    @Query({ schema: documentsQuery }) { state, ...query }: z.infer<typeof documentsQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<DocumentView>> {
    const {
      store: { documents },
      publicUrl,
    } = this.ports;
    await findTree(this.ports, key);
    const page = await readPage(
      query,
      this.ports,
      (wanted) =>
        state === undefined ? documents.list(key, wanted) : documentsIn(documents, key, state, wanted),
      ({ url }) => url,
    );
    return showPage(response, publicUrl, page, (document) => documentView(publicUrl, document));
  }
}

async function documentsIn(
  documents: DocumentStore,
  collection: CollectionKey,
  state: DocumentState,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<TreeDocument[]> {
  const found: TreeDocument[] = [];
  const pages = pagesOf(
    (page) => documents.list(collection, page),
    ({ url }) => url,
    batch,
    after,
  );
  for await (const page of pages) {
    found.push(...page.filter((document) => documentState(document) === state));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}
