import { isFeedTree } from '#protocols';
import type { Request, Response } from 'express';
import { plainDialect } from '#xml';
import type { Format } from '#xml';
import { inSlices, Slices } from '#core';
import type { Collection, StoredItem } from '#core';
import { publishedFormats } from '../feeds/feed-url.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { xmlTypes } from '../requests/body-reader.ts';
import { isUnmodified, revisionTag } from '../requests/preconditions.ts';
import { treeItemFeed } from '../tree/write-tree-feed.ts';
import { entryDocument, onlyItem } from './entry-document.ts';
import { itemViews } from '#items';

const mediaTypes = { atom: 'application/atom+xml', rss: 'application/rss+xml', opml: 'text/x-opml' } as const;
const contentTypes = {
  atom: 'application/atom+xml; type=entry; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  opml: 'text/x-opml; charset=utf-8',
} as const;

/**
 * Responds with an item: as JSON, or as it stands in the feeds of a format, by `Accept`; who sent XML gets
 * XML. What a response says of an item of a tree changes without a new revision, so it is always sent.
 */
export async function sendItem(
  ports: Pick<GatewayPorts, 'publicUrl' | 'store'>,
  collection: Collection,
  item: StoredItem,
  request: Request,
  response: Response,
): Promise<void> {
  const format = wantedFormat(request, collection);
  response.set({ ETag: revisionTag(item.revision), Vary: 'Accept', 'Cache-Control': 'no-cache' });
  const isRead = !isFeedTree(collection) && (request.method === 'GET' || request.method === 'HEAD');
  if (isRead && isUnmodified(request, revisionTag(item.revision))) return void response.status(304).end();
  if (format === 'json') {
    const slices = new Slices();
    const [view] = await itemViews(ports, collection, [item]);
    await slices.rest();
    return void response.json(view);
  }
  const document = isFeedTree(collection)
    ? onlyItem(await treeItemFeed(ports, collection, item), plainDialect)
    : entryDocument(format, collection, item, ports.publicUrl);
  response.type(contentTypes[format]).send(await inSlices(document));
}

/**
 * What the client likes best; of what it likes equally the type that it sent, then the collection's own
 * format.
 */
function wantedFormat(request: Request, collection: Collection): Format | 'json' {
  const sent = request.is(xmlTypes);
  const formats = [
    collection.format,
    ...publishedFormats(collection).filter((format) => format !== collection.format),
  ];
  const types = formats.map((format) => mediaTypes[format]);
  const xml = [...(typeof sent === 'string' ? [sent] : []), ...types, 'application/xml', 'text/xml'];
  const offered = typeof sent === 'string' ? [...xml, 'application/json'] : ['application/json', ...xml];
  const accepted = request.accepts(offered);
  if (accepted === false)
    throw new ProblemError(406, 'not-acceptable', `An item can be had as ${offered.join(', ')}.`);
  return accepted === 'application/json'
    ? 'json'
    : (formats.find((format) => mediaTypes[format] === accepted) ?? collection.format);
}
