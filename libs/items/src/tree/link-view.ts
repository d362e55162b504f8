import type { TreeLinkView } from '#contracts';
import type { Child } from '#xml';
import { itemUrl } from '#protocol';
import { linkAddress, treeContent } from '#cse';
import type { Collection, StoredItem, TreeDocument, TreeLink } from '#core';
import type { ViewPorts } from '../view-ports.ts';
import { counts, linkState } from './document-state.ts';
import { mirrored } from './mirrored.ts';

/** The links of items as they are shown, by the id of the item. */
export async function linkViews(
  { store, publicUrl }: ViewPorts,
  collection: Collection,
  items: readonly StoredItem[],
): Promise<Map<string, TreeLinkView[]>> {
  const isMirror = (await mirrored(store, collection.key)) !== undefined;
  const urls = new Set(
    items.flatMap((item) => treeContent(item.content).links.flatMap(({ url }) => url ?? [])),
  );
  const documents = isMirror
    ? await store.documents.load(collection.key, [...urls])
    : new Map<string, TreeDocument>();
  return new Map(
    items.map((item) => {
      const { links, data } = treeContent(item.content);
      const self = `${itemUrl(publicUrl, collection.key, item.id)}/links`;
      // The others don't decide whether a link counts, nor does a third: an item may have very many.
      const nested = links.filter(({ nestedFeed }) => nestedFeed).slice(0, 2);
      return [item.id, links.map((link, number) => view(link, number, nested))];

      function view(link: TreeLink, number: number, siblings: readonly TreeLink[]): TreeLinkView {
        const { nestedFeed, onDemand, url: source } = link;
        const document = documents.get(source ?? '');
        const state = linkState(link, siblings, isMirror, document);
        const child = data.children[link.place.child];
        const reason = state === undefined ? undefined : document?.failure;
        return {
          url: linkAddress(publicUrl, collection, link),
          ...(source !== undefined && { source }),
          nestedFeed,
          onDemand,
          ...targetView(link),
          ...(child && !isLink(child) && { inside: child.name }),
          ...(state && { state }),
          ...(reason && { reason }),
          ...(isMirror && onDemand && counts(link, siblings) && { fetch: `${self}/${number}/fetch` }),
        };
      }
    }),
  );
}

/** Whether a child of an RSS item is a link itself; RSS's own has no namespace. */
function isLink({ namespace, name }: Child): boolean {
  return name === 'link' && namespace !== '';
}

function targetView({ target }: TreeLink): Pick<TreeLinkView, 'feed' | 'file'> {
  if (target === undefined) return {};
  if ('feed' in target) return { feed: target.feed };
  const { file: digest, ...file } = target;
  return { file: { digest, ...file } };
}
