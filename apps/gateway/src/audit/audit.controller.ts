import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import { auditQuery } from '#contracts';
import type { AuditEntryView } from '#contracts';
import { pagesOf } from '#core';
import type { AuditEntry, AuditFilter, AuditStore } from '#core';
import { gatewayPorts } from '../gateway-ports.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { readPage, showPage } from '../pages/page.ts';
import { Route } from '../requests/route.ts';
import { sendText } from '../requests/send-text.ts';
import { textReadOnce } from '../texts/shared-text.ts';

type AuditQuery = z.infer<typeof auditQuery>;

const lines = 'application/x-ndjson';
/** How many entries are read at once for a response that has all of them. */
const entriesAtOnce = 500;

@Controller()
export class AuditController {
  constructor(@Inject(gatewayPorts) private readonly ports: GatewayPorts) {}

  @Route('listAudit')
  async list(
    @Query({ schema: auditQuery }) query: AuditQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const { store, publicUrl } = this.ports;
    const filter = filterOf(query);
    const view = query.collection === undefined ? (entry: AuditEntry) => entry : withoutPlace;
    response.set({ 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' });
    if (request.accepts(['application/json', lines]) === lines) {
      response.set('Content-Type', lines);
      return sendText(
        this.ports,
        textReadOnce(this.ports.reads, allLines(store.audit, filter, view)),
        request,
        response,
      );
    }
    const page = await readPage(
      query,
      this.ports,
      (wanted) => store.audit.list({ ...filter, ...wanted }),
      ({ id }) => id,
    );
    response.json(showPage(response, publicUrl, page, view));
  }
}

function filterOf({ collection, since, until, actor, operation, outcome, request }: AuditQuery): AuditFilter {
  const tenant = collection?.endsWith('.*') === true ? collection.slice(0, -2) : undefined;
  return {
    ...(tenant !== undefined && { tenant }),
    ...(tenant === undefined && collection !== undefined && { collection }),
    ...(since !== undefined && { since: new Date(since) }),
    ...(until !== undefined && { until: new Date(until) }),
    ...(actor !== undefined && { actor }),
    ...(operation !== undefined && { operation }),
    ...(outcome !== undefined && { outcome }),
    ...(request !== undefined && { request }),
  };
}

/** An entry for those who see a part of the log: its place in its chain would count what others do. */
function withoutPlace({
  chain: _c,
  sequence: _s,
  former: _f,
  hash: _h,
  ...entry
}: AuditEntry): AuditEntryView {
  return entry;
}

async function* allLines(
  audit: Pick<AuditStore, 'list'>,
  filter: AuditFilter,
  view: (entry: AuditEntry) => AuditEntryView,
): AsyncGenerator<string> {
  const pages = pagesOf(
    (page) => audit.list({ ...filter, ...page }),
    ({ id }) => id,
    entriesAtOnce,
  );
  for await (const entries of pages) for (const entry of entries) yield `${JSON.stringify(view(entry))}\n`;
}
