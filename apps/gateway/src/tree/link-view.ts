import type { Child } from '#xml';
import { itemUrl, treeContent } from '#items';
import type { DownloadFailure } from '#cse';
import type { Collection, StoredItem, TreeDocument, TreeLink } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { counts, linkState } from './document-state.ts';
import type { DocumentState } from './document-state.ts';
import { mirrored } from './find-tree.ts';
import { linkUrl } from './tree-address.ts';

/** A csx:link as it is shown. */
export interface LinkView extends Pick<TreeLink, 'nestedFeed' | 'onDemand'> {
  /** Where it leads in our feed. */
  readonly url: string;
  /** Where it led in the feed that was mirrored, or what an editor has given. */
  readonly source?: string;
  /** The id of the feed of this tree that it leads to. */
  readonly feed?: string;
  readonly file?: {
    readonly digest: string;
    readonly name: string;
    readonly length: number;
    readonly type?: string;
  };
  /** Absent of what is not followed. */
  readonly state?: DocumentState;
  /** Why it, or its newer version, could not be had. */
  readonly reason?: DownloadFailure;
  /** The child of the item that it stands in; absent where it stands in the item itself. */
  readonly inside?: string;
  /** Where a POST asks for what is on demand. */
  readonly fetch?: string;
}

/** The links of items as they are shown, by the id of the item. */
export async function linkViews(
  { store, publicUrl }: Pick<GatewayPorts, 'store' | 'publicUrl'>,
  collection: Collection,
  items: readonly StoredItem[],
): Promise<Map<string, LinkView[]>> {
  const isMirror = (await mirrored(store, collection.name)) !== undefined;
  const urls = new Set(
    items.flatMap((item) => treeContent(item.content).links.flatMap(({ url }) => url ?? [])),
  );
  const documents = isMirror
    ? await store.documents.load(collection.name, [...urls])
    : new Map<string, TreeDocument>();
  return new Map(
    items.map((item) => {
      const { links, data } = treeContent(item.content);
      const self = `${itemUrl(publicUrl, collection.name, item.id)}/links`;
      // The others don't decide whether a link counts, nor does a third: an item may have very many.
      const nested = links.filter(({ nestedFeed }) => nestedFeed).slice(0, 2);
      return [item.id, links.map((link, number) => view(link, number, nested))];

      function view(link: TreeLink, number: number, siblings: readonly TreeLink[]): LinkView {
        const { nestedFeed, onDemand, url: source } = link;
        const document = documents.get(source ?? '');
        const state = linkState(link, siblings, isMirror, document);
        const child = data.children[link.place.child];
        const reason = state === undefined ? undefined : document?.failure;
        return {
          url: linkUrl(publicUrl, collection, link),
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

function targetView({ target }: TreeLink): Pick<LinkView, 'feed' | 'file'> {
  if (target === undefined) return {};
  if ('feed' in target) return { feed: target.feed };
  const { file: digest, ...file } = target;
  return { file: { digest, ...file } };
}
