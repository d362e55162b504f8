import type { DocumentState, DocumentView, Page } from '#contracts';
import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { z } from 'zod';
import { collectionName, documentsQuery } from '#contracts';
import { pagesOf } from '#core';
import type { DocumentStore, TreeDocument } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { documentState } from './document-state.ts';
import { documentView } from './document-view.ts';
import { findTree } from './find-tree.ts';
import { Route } from '../requests/route.ts';

/** How many are looked at in one go for those in a state. */
const batch = 1000;

@Controller()
export class DocumentsController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listDocuments')
  async list(
    @Param('collection', { schema: collectionName }) name: string,
    @Query({ schema: documentsQuery }) { state, ...query }: z.infer<typeof documentsQuery>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<DocumentView>> {
    const {
      store: { documents },
      publicUrl,
    } = this.ports;
    await findTree(this.ports, name);
    const page = await readPage(
      query,
      this.ports,
      (wanted) =>
        state === undefined ? documents.list(name, wanted) : documentsIn(documents, name, state, wanted),
      ({ url }) => url,
    );
    return showPage(response, publicUrl, page, (document) => documentView(publicUrl, document));
  }
}

async function documentsIn(
  documents: DocumentStore,
  collection: string,
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
