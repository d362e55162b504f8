import type { Request, Response } from 'express';
import type { Format } from '#feed-xml';
import type { Collection, StoredItem } from '#ports';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { xmlTypes } from '../requests/body-reader.ts';
import { isUnmodified, revisionTag } from '../requests/preconditions.ts';
import { entryDocument } from './entry-document.ts';
import { itemView } from './item-view.ts';

const mediaTypes = { atom: 'application/atom+xml; type=entry; charset=utf-8', rss: 'application/rss+xml; charset=utf-8' } as const;

/** Answers with an item: as JSON, or as it stands in the feeds of either format, by `Accept`; who sent XML gets XML. */
export function sendItem({ publicUrl }: Pick<GatewayPorts, 'publicUrl'>, collection: Collection, item: StoredItem, request: Request, response: Response): void {
  const etag = revisionTag(item.revision);
  response.set({ ETag: etag, Vary: 'Accept', 'Cache-Control': 'no-cache' });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && isUnmodified(request, etag)) return void response.status(304).end();
  const format = wantedFormat(request, collection);
  if (format === 'json') response.json(itemView(item));
  else response.type(mediaTypes[format]).send(entryDocument(format, collection, item, publicUrl));
}

/** What the client likes best; of what it likes equally the type that it sent, then the collection's own format. */
function wantedFormat(request: Request, { format }: Collection): Format | 'json' {
  const sent = request.is(xmlTypes);
  const other = format === 'atom' ? 'rss' : 'atom';
  const xml = [...(typeof sent === 'string' ? [sent] : []), `application/${format}+xml`, `application/${other}+xml`, 'application/xml', 'text/xml'];
  const offered = typeof sent === 'string' ? [...xml, 'application/json'] : ['application/json', ...xml];
  const accepted = request.accepts(offered);
  if (accepted === false) throw new ProblemError(406, 'not-acceptable', `An item can be had as ${offered.join(', ')}.`);
  if (accepted === 'application/json') return 'json';
  return accepted === `application/${other}+xml` ? other : format;
}
