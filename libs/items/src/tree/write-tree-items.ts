import type { ParsedCseItem } from '#cse';
import type {
  Collection,
  CollectionKey,
  ItemId,
  SubscriptionId,
  TreeContent,
  StoredItem,
  TenantLimitError,
  TreeDocument,
} from '#core';
import { formatDateTime } from '#protocol';
import { itemWrite } from '../stored-item.ts';
import { writeItems } from '../write-items.ts';
import { decideTreeItem } from './decide-tree-item.ts';
import type { MirrorPorts } from './mirror-ports.ts';
import { treeContent } from '#cse';

/** An item of a mirrored feed, with the key that it is to have if that is another one. */
export interface MirroredItem {
  readonly id: ItemId;
  readonly key?: string;
  readonly parsed: ParsedCseItem;
}

/** The feed that items stand in, and who brings them. */
export interface MirroredFeed {
  readonly feed: string;
  /** The URL of the root of the tree. */
  readonly root: string;
  readonly subscription: SubscriptionId;
}

/**
 * How many items changed; how many stay as they were because something that they link to is missing; how
 * many documents are not in the cache as the walk left them, and the next walk downloads again.
 */
export interface MirrorCounts {
  /** The limit of the tenant by which items stay as they were; absent if none does. */
  readonly exceeded?: TenantLimitError;
  readonly changed: number;
  readonly incomplete: number;
  readonly lost: number;
}

/** How many documents are loaded in one go. */
const loadLength = 1000;

/**
 * Writes what a batch of items has become. Files that the store no longer has are forgotten by their
 * documents, so that the next walk downloads them; their items stay as they were.
 */
export async function writeTreeItems(
  ports: MirrorPorts,
  collection: Collection,
  mirrored: MirroredFeed,
  items: readonly MirroredItem[],
): Promise<MirrorCounts> {
  const links = items.flatMap(({ parsed }) => parsed.item.links);
  const documents = await loadDocuments(ports, collection.key, [...new Set(links.map(({ url }) => url))]);
  const unknown = links.filter(({ url, onDemand }) => !onDemand && !documents.has(url)).length;
  const lost = unknown + (await forgetLost(ports, collection.key, documents));
  const { subscription } = mirrored;
  const byId = new Map(items.map((item) => [item.id, item]));
  let incomplete = 0;
  let exceeded: TenantLimitError | undefined;
  const { length: changed } = await writeItems(ports.store.items, {
    collection: collection.key,
    ids: [...byId.keys()],
    decide: async (ids, stored) => {
      const at = ports.now();
      const changes: { readonly local: StoredItem | undefined; readonly content: TreeContent }[] = [];
      for (const item of ids.flatMap((id) => byId.get(id) ?? [])) {
        const local = stored.get(item.id);
        const decision = decide(mirrored, item, local, documents, formatDateTime(at));
        if (decision.kind === 'incomplete') incomplete += 1;
        if (decision.kind === 'changed') changes.push({ local, content: decision.content });
      }
      await openNested(
        ports,
        collection.key,
        changes.map(({ content }) => content),
        at,
      );
      const context = { collection, now: at };
      return {
        writes: changes.map(({ local, content }) => itemWrite(context, local, content, { subscription })),
      };
    },
    exceed: (_id, error) => {
      exceeded ??= error;
    },
  });
  return { changed, incomplete, lost, ...(exceeded && { exceeded }) };
}

/** Makes sure that the feeds which items are about to lead to can be read, though nothing is in them yet. */
async function openNested(
  { store }: MirrorPorts,
  collection: CollectionKey,
  contents: readonly TreeContent[],
  createdAt: Date,
): Promise<void> {
  const urls = new Map(
    contents.flatMap(({ links }) =>
      links.flatMap(({ url, target }) =>
        target !== undefined && 'feed' in target ? [[target.feed, url] as const] : [],
      ),
    ),
  );
  const known = await store.feeds.load(collection, [...urls.keys()]);
  for (const [id, url] of urls)
    if (!known.has(id))
      await store.feeds.create({
        collection,
        id,
        title: '',
        head: [],
        ...(url !== undefined && { url }),
        createdAt,
      });
}

function decide(
  { feed, root }: MirroredFeed,
  { parsed, key }: MirroredItem,
  stored: StoredItem | undefined,
  documents: ReadonlyMap<string, TreeDocument>,
  when: string,
) {
  const local: TreeContent | undefined = stored && treeContent(stored.content);
  return decideTreeItem({
    parsed,
    feed,
    root,
    documents,
    when,
    ...(local && { local }),
    ...(key !== undefined && { key }),
  });
}

async function loadDocuments(
  { store }: MirrorPorts,
  collection: CollectionKey,
  urls: readonly string[],
): Promise<Map<string, TreeDocument>> {
  const documents = new Map<string, TreeDocument>();
  for (let start = 0; start < urls.length; start += loadLength) {
    for (const [url, document] of await store.documents.load(
      collection,
      urls.slice(start, start + loadLength),
    ))
      documents.set(url, document);
  }
  return documents;
}

/**
 * Makes sure that the files of the copies stay, for the time of grace; takes the documents of those that are
 * missing out of the map. Returns how many these are, with those that are behind their items although
 * nothing is known to be wrong with them: a copy that was forgotten since the walk, or replaced by a download
 * of an earlier fetch that came late.
 */
async function forgetLost(
  { store }: MirrorPorts,
  collection: CollectionKey,
  documents: Map<string, TreeDocument>,
): Promise<number> {
  const copies = [...documents].flatMap(([url, { copy }]) =>
    copy === undefined ? [] : [{ url, digest: copy.digest }],
  );
  const present = await store.contents.touch(collection, [...new Set(copies.map(({ digest }) => digest))]);
  const missing = copies.filter(({ digest }) => !present.has(digest)).map(({ url }) => url);
  const behind = [...documents.values()].filter(
    ({ copy, failure, onDemand, lastBuildDate }) =>
      failure === undefined && !onDemand && (copy === undefined || copy.lastBuildDate < lastBuildDate),
  );
  if (missing.length > 0) await store.documents.forget(collection, missing);
  for (const url of missing) documents.delete(url);
  return missing.length + behind.length;
}
