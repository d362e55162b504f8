import type { RequestedLinkView } from '#contracts';
import { ItemNotFoundError } from '#protocol';
import { treeContent } from '#cse';
import { nameOf } from '#core';
import type { CollectionKey, ItemId } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { ProblemError } from '../problems/problem-error.ts';
import { refresh } from '../subscriptions/change-subscription.ts';
import { counts, documentState, mirrored } from '#items';
import { documentView } from './document-view.ts';
import { findTree } from './find-tree.ts';

/**
 * Asks for what a link refers to on demand, and for a walk through the tree, which fetches it.
 * @param number of the link in its item, from 0
 * @throws ItemNotFoundError, and ProblemError 404 for no such collection or link, 409 if there is
 *   nothing to ask for on demand
 */
export async function fetchLink(
  ports: GatewayPorts,
  key: CollectionKey,
  id: ItemId,
  number: number,
): Promise<RequestedLinkView> {
  const {
    store: { items, documents },
    publicUrl,
  } = ports;
  await findTree(ports, key);
  const item = (await items.load(key, [id])).get(id);
  if (item === undefined) throw new ItemNotFoundError(key, id);
  const { links } = treeContent(item.content);
  const link = links[number];
  if (link === undefined)
    throw new ProblemError(
      404,
      'link-not-found',
      `The item "${id}" has ${links.length} links, which count from 0; there is none with the number ` +
        `${number}.`,
    );
  const subscription = await mirrored(ports.store, key);
  if (subscription === undefined)
    throw new ProblemError(
      409,
      'not-a-mirror',
      `The collection "${nameOf(key)}" is a tree of its own: nothing in it is fetched.`,
    );
  if (!link.onDemand || link.url === undefined)
    throw new ProblemError(
      409,
      'not-on-demand',
      `The link ${number} of the item "${id}" is not on demand: what it refers to is kept in step by itself.`,
    );
  if (!counts(link, links))
    throw new ProblemError(
      409,
      'not-on-demand',
      `The link ${number} of the item "${id}" is never followed, since another one is a nested feed ` +
        '(CSE, nestedFeed attribute).',
    );
  await documents.request(key, link.url, link.nestedFeed);
  await refresh(ports, key, subscription.id);
  const document = (await documents.load(key, [link.url])).get(link.url);
  if (document === undefined)
    throw new ProblemError(
      409,
      'not-a-mirror',
      `The subscription of the collection "${nameOf(key)}" was just removed.`,
    );
  return { state: documentState(document), document: documentView(publicUrl, document) };
}
