import { deepStrictEqual } from 'node:assert/strict';
import { payloadFromFields, readPayload } from '#xml';
import type { Payload } from '#xml';
import { editItem } from '#items';
import { treeContent } from '#cse';
import type { LinkInput, LinksInput } from '#items';
import { finish, itemId } from '#core';
import { putTreeFeed, removeTreeFeed } from '../../../apps/gateway/src/tree/put-tree-feed.ts';
import { newTreeItem } from '../../../apps/gateway/src/tree/tree-item-body.ts';
import { treeItems } from '../../../apps/gateway/src/tree/tree-items.ts';
import type { CaseDocuments } from '../case-file/case-documents.ts';
import { comparePublished } from './compare-published.ts';
import type { CaseLink, PublishTreeOperation, TreeCaseEdit, TreeStep } from './cse-operation.ts';
import { TreeEndpoint, treeName } from './tree-endpoint.ts';

/**
 * Edits a tree of our own step by step, and compares what is published of it after each. Throws an
 * AssertionError if it is not as expected.
 */
export async function publishTree(documents: CaseDocuments, { steps }: PublishTreeOperation): Promise<void> {
  const endpoint = new TreeEndpoint();
  await endpoint.open();
  for (const [index, step] of steps.entries()) {
    await perform(endpoint, step);
    await comparePublished(endpoint, documents, index + 1, (path) => path.replace(/\.xml$/, ''));
    for (const [feed, shown] of Object.entries(step.shown ?? {})) {
      const actual = {
        hiding: await shownIn(endpoint, feed, false),
        all: await shownIn(endpoint, feed, true),
      };
      deepStrictEqual({ step: index + 1, feed, ...actual }, { step: index + 1, feed, ...shown });
    }
  }
}

async function perform(
  endpoint: TreeEndpoint,
  { at, feeds = {}, edits = [], removeFeeds = [], unpublished = false, publishedUntil }: TreeStep,
): Promise<void> {
  endpoint.time = at;
  for (const [id, body] of Object.entries(feeds)) await putTreeFeed(endpoint.ports, treeName, id, body);
  for (const one of edits) {
    const refusal = await edit(endpoint, one).then(() => undefined, nameOf);
    deepStrictEqual({ edit: one, refusal }, { edit: one, refusal: one.refused });
  }
  for (const id of removeFeeds) await removeTreeFeed(endpoint.ports, treeName, id);
  if (publishedUntil !== undefined) await endpoint.publishUntil(publishedUntil);
  else if (!unpublished) await endpoint.publish();
}

async function shownIn({ ports }: TreeEndpoint, feed: string, showsHidden: boolean): Promise<string[]> {
  const shown = await treeItems(ports.store, treeName, feed, showsHidden, { limit: 100 });
  return Array.from(shown, ({ item }) => treeContent(item.content).guid);
}

/** The rule that an error names, or what it is called. Throws what is no error. */
function nameOf(error: unknown): unknown {
  if (!(error instanceof Error)) throw error;
  return 'rule' in error ? error.rule : error.name;
}

async function edit(
  endpoint: TreeEndpoint,
  { action, id = '', title, xml, links, feed, guid, hidden }: TreeCaseEdit,
): Promise<void> {
  const { ports } = endpoint;
  const collection = await endpoint.collection();
  const editing = { store: ports.store, now: () => ports.clock.now(), publicUrl: ports.publicUrl };
  if (action === 'delete') return void (await editItem(editing, collection, itemId(id), { action }));
  const payload = payloadOf(title, xml);
  const tree: LinksInput = {
    ...(feed !== undefined && { feed }),
    ...(guid !== undefined && { guid }),
    ...(hidden !== undefined && { hidden }),
    ...(links && { links: await Promise.all(links.map((link) => linkInputOf(endpoint, link))) }),
  };
  if (action !== 'create')
    return void (await editItem(editing, collection, itemId(id), {
      action,
      ...(payload && { payload }),
      tree,
    }));
  const made = finish(
    newTreeItem(ports, collection, { payload: payload ?? payloadFromFields('rss', {}), tree }),
  );
  await editItem(editing, collection, made.id, {
    action,
    id: made.id,
    payload: payload ?? payloadFromFields('rss', {}),
    tree: made.tree,
  });
}

function payloadOf(title: string | undefined, xml: string | undefined): Payload | undefined {
  if (xml !== undefined) return readPayload(xml);
  return title === undefined ? undefined : payloadFromFields('rss', { title });
}

/** A link to a text is one to a file that holds it, which is stored first. */
async function linkInputOf({ ports: { store, clock } }: TreeEndpoint, link: CaseLink): Promise<LinkInput> {
  if (!('text' in link)) return link;
  const { text, ...input } = link;
  const { digest } = await store.contents.write(treeName, bytesOf(text), { at: clock.now() });
  return { ...input, file: digest };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
