import type { OutlineDocument, OutlineNode } from '#xml';
import { itemId, nameOf } from '#core';
import type { Collection, ItemId } from '#core';
import { compareSiblings } from '#sse';
import { InvalidEditError, ItemNotFoundError, ItemStateError } from '#protocol';
import type { EditPorts } from '../edit-ports.ts';
import { idRefusal } from '../item-id.ts';
import { writeEdits } from '../write-edits.ts';
import type { RevisionEdit } from '../write-edits.ts';
import { everyOutline, liveOutlines } from './live-outline.ts';
import { matchOutlines } from './match-outlines.ts';
import type { OutlineMatches } from './match-outlines.ts';
import { planImport } from './plan-import.ts';

/** What an import needs of the world: `identifier` makes the ids of new items. */
interface ImportPorts extends EditPorts {
  readonly identifier: () => string;
}

/** What an import does with a document. */
export interface ImportOptions {
  /** The id of the item that the outlines go below; absent: the root. */
  readonly parent?: ItemId;
  /**
   * `add` creates every outline, after what is there; `replace` brings what is there in step with the
   * document.
   */
  readonly mode: 'add' | 'replace';
}

/** How many items an import changed. One that was both updated and moved counts as updated. */
export interface ImportReport {
  readonly created: number;
  readonly updated: number;
  readonly moved: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** How many ids are looked up in one go. */
const batchLength = 500;

/**
 * Takes a document into a collection of outlines (SSE 4.1, 4.2). New items get the document's id if it has
 * one that is free. With `replace`, as an aggregator's new export is taken in, outlines are matched to items
 * by id, `xmlUrl` or place and `text`; what differs is updated, what stands elsewhere moved, what is not in
 * the document any more deleted. The same document a second time changes nothing. Where it breaks off a part
 * of it is done, and `replace` can be run again.
 * @throws InvalidEditError if the collection holds no outlines, ItemNotFoundError and ItemStateError for
 *   a parent that is missing or deleted, ItemStateError if others change the items faster than they can be
 *   replaced, EditLimitError
 */
export async function importOutline(
  ports: ImportPorts,
  collection: Collection,
  document: OutlineDocument,
  { parent, mode }: ImportOptions,
): Promise<ImportReport> {
  if (collection.format !== 'opml')
    throw new InvalidEditError(
      `The collection "${nameOf(collection.key)}" holds items in ${collection.format}; an outline goes ` +
        'into one in opml only.',
    );
  if (parent !== undefined) await checkParent(ports, collection, parent);
  return mode === 'add'
    ? add(ports, collection, document, parent)
    : replace(ports, collection, document, parent);
}

async function add(
  ports: ImportPorts,
  collection: Collection,
  { outlines }: OutlineDocument,
  parent?: ItemId,
): Promise<ImportReport> {
  const siblings = (await ports.store.items.children(collection.key, [parent ?? ''])).sort(compareSiblings);
  const matches: OutlineMatches = new Map();
  const edits = planImport(outlines, {
    parent,
    after: siblings.filter(({ position: { key } }) => key !== undefined).at(-1),
    matches,
    ids: await idsOf(ports, collection, outlines, matches),
  });
  // An id that somebody else has given meanwhile is not given again.
  const plans = [edits];
  return reportOf(await writeEdits(ports, collection, async () => plans.pop() ?? []), edits.length);
}

async function replace(
  ports: ImportPorts,
  collection: Collection,
  { outlines }: OutlineDocument,
  parent?: ItemId,
): Promise<ImportReport> {
  const plan = async (): Promise<RevisionEdit[]> => {
    const all = await liveOutlines(ports.store.items, collection);
    const live =
      parent === undefined ? all : (everyOutline(all).find(({ id }) => id === parent)?.children ?? []);
    const matches = matchOutlines(outlines, live);
    const staying = new Set(matches.values());
    return [
      ...planImport(outlines, { parent, matches, ids: await idsOf(ports, collection, outlines, matches) }),
      ...everyOutline(live)
        .filter((item) => !staying.has(item))
        .map(({ id, revision }) => ({ id, revision, edit: { action: 'delete' as const } })),
    ];
  };
  const made = await writeEdits(ports, collection, plan, (message) => new ItemStateError(message));
  return reportOf(made, everyOutline(outlines).length);
}

function reportOf(written: readonly RevisionEdit[], outlines: number): ImportReport {
  const edits = written.map(({ edit }) => edit);
  const created = edits.filter(({ action }) => action === 'create').length;
  const deleted = edits.filter(({ action }) => action === 'delete').length;
  const updated = edits.filter((edit) => edit.action === 'update' && edit.payload !== undefined).length;
  const moved = edits.length - created - deleted - updated;
  return { created, updated, moved, deleted, unchanged: Math.max(0, outlines - created - updated - moved) };
}

/** The id of each outline: the matched item's; its own, if that is free; a new one. */
async function idsOf(
  { store, identifier }: ImportPorts,
  { key, endpoint }: Collection,
  outlines: readonly OutlineNode[],
  matches: OutlineMatches,
): Promise<Map<OutlineNode, ItemId>> {
  const nodes = everyOutline(outlines);
  const wanted = [
    ...new Set(
      nodes.flatMap((node) =>
        node.id !== undefined && !matches.has(node) && idRefusal(node.id) === undefined
          ? [itemId(node.id)]
          : [],
      ),
    ),
  ];
  const taken = new Set<ItemId>();
  for (let start = 0; start < wanted.length; start += batchLength) {
    for (const id of (await store.items.load(key, wanted.slice(start, start + batchLength))).keys())
      taken.add(id);
  }
  const free = new Set(wanted.filter((id) => !taken.has(id)));
  return new Map(
    nodes.map((node) => [
      node,
      matches.get(node)?.id ??
        itemId(
          node.id !== undefined && free.delete(itemId(node.id)) ? node.id : `${endpoint}.${identifier()}`,
        ),
    ]),
  );
}

async function checkParent({ store }: ImportPorts, { key }: Collection, parent: ItemId): Promise<void> {
  const stored = (await store.items.load(key, [parent])).get(parent);
  if (stored === undefined) throw new ItemNotFoundError(key, parent);
  if (stored.deleted) throw new ItemStateError(`The item "${parent}" is deleted; undelete it first.`);
}
