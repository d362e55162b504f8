import type { Request, Response } from 'express';
import type { Collection, StoredItem } from '#ports';
import { ProblemError } from '../problems/problem-error.ts';
import { xmlTypes } from '../requests/body-reader.ts';
import { isUnmodified, revisionTag } from '../requests/preconditions.ts';
import { entryDocument } from './entry-document.ts';
import { itemView } from './item-view.ts';

const mediaTypes = { atom: 'application/atom+xml; type=entry; charset=utf-8', rss: 'application/rss+xml; charset=utf-8' } as const;

/** Answers with an item: as JSON, or as the entry that stands in the feeds, by `Accept`; who sent XML gets XML. */
export function sendItem(collection: Collection, item: StoredItem, request: Request, response: Response): void {
  const etag = revisionTag(item.revision);
  response.set({ ETag: etag, Vary: 'Accept', 'Cache-Control': 'no-cache' });
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && isUnmodified(request, etag)) response.status(304).end();
  else if (wantsXml(request, collection)) response.type(mediaTypes[collection.format]).send(entryDocument(collection, item));
  else response.json(itemView(item));
}

function wantsXml(request: Request, { format }: Collection): boolean {
  const native = [`application/${format}+xml`, 'application/xml', 'text/xml'];
  const offered = request.is(xmlTypes) ? [...native, 'application/json'] : ['application/json', ...native];
  const accepted = request.accepts(offered);
  if (accepted === false) throw new ProblemError(406, 'not-acceptable', `An item of this collection can be had as ${offered.join(', ')}.`);
  return accepted !== 'application/json';
}
