import { deepStrictEqual } from 'node:assert/strict';
import type { CaseDocuments } from '../case-file/case-documents.ts';
import { compareTreeFeeds, plainLinksIn } from './plain-tree-feed.ts';
import { treeName } from './tree-endpoint.ts';
import type { TreeEndpoint } from './tree-endpoint.ts';

/**
 * Compares the feeds that are served after a step with the documents `expected/<step>/…`, and makes sure that
 * whatever of ours any feed of the tree links to is there.
 * @param idOf the id of the feed that a document stands for, by the rest of its name
 */
export async function comparePublished(
  endpoint: TreeEndpoint,
  documents: CaseDocuments,
  step: number,
  idOf: (path: string) => string,
): Promise<void> {
  const folder = `expected/${step}/`;
  for (const name of documents.names.filter((one) => one.startsWith(folder))) {
    const path = name.slice(folder.length);
    compareTreeFeeds(await endpoint.feedText(idOf(path)), documents.text(name), `${step}/${path}`);
  }
  deepStrictEqual({ step, dead: await deadLinks(endpoint) }, { step, dead: [] });
}

/** The links to feeds and files of the endpoint that lead nowhere. */
async function deadLinks(endpoint: TreeEndpoint): Promise<string[]> {
  const { store, publicUrl } = endpoint.ports;
  const feeds = (await store.feeds.list(treeName, { limit: 1000 })).map(({ id }) => id);
  const addresses = new Set(
    feeds.map((id) =>
      id === 'root' ? `${publicUrl}/feeds/${treeName}.rss` : `${publicUrl}/feeds/${treeName}/${id}.rss`,
    ),
  );
  const digests = new Set((await store.contents.list(treeName, { limit: 1000 })).map(({ digest }) => digest));
  const texts = await Promise.all(feeds.map((id) => endpoint.feedText(id)));
  const ours = texts.flatMap(plainLinksIn).filter((link) => link.startsWith(publicUrl));
  return ours.filter((link) => !addresses.has(link) && !digests.has(link.split('/')[5] ?? ''));
}
