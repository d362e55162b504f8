import type { OutlineDocument, OutlineNode } from '#xml';
import { inSlices, itemId, nameOf } from '#core';
import type { Collection, ItemId, Steps } from '#core';
import { InvalidEditError, ItemNotFoundError, ItemStateError } from '#protocol';
import type { EditPorts } from '../edit-ports.ts';
import { idRefusal } from '../item-id.ts';
import { neighboursAt } from '../neighbours.ts';
import { writeEdits } from '../write-edits.ts';
import type { RevisionEdit } from '../write-edits.ts';
import { everyOutline, liveOutlines } from './live-outline.ts';
import type { LiveOutline } from './live-outline.ts';
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
  const siblings = { collection: collection.key, parent: parent ?? '' };
  const { before } = await neighboursAt(ports.store.items, siblings, undefined);
  const matches: OutlineMatches = new Map();
  const ids = await idsOf(ports, collection, outlines, matches);
  const edits = await inSlices(planImport(outlines, { parent, after: before, matches, ids }));
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
  let length = 0;
  const plan = async (): Promise<RevisionEdit[]> => {
    const all = await liveOutlines(ports.store.items, collection);
    const live =
      parent === undefined
        ? all
        : ((await inSlices(everyOutline(all))).find(({ id }) => id === parent)?.children ?? []);
    const matches = await inSlices(matchOutlines(outlines, live));
    const ids = await idsOf(ports, collection, outlines, matches);
    length = ids.size;
    const edits = await inSlices(planImport(outlines, { parent, matches, ids }));
    return edits.concat(await inSlices(deletionsOf(live, new Set(matches.values()))));
  };
  const made = await writeEdits(ports, collection, plan, (message) => new ItemStateError(message));
  return reportOf(made, length);
}

function* deletionsOf(
  live: readonly LiveOutline[],
  staying: ReadonlySet<LiveOutline>,
): Steps<RevisionEdit[]> {
  const edits: RevisionEdit[] = [];
  for (const item of yield* everyOutline(live)) {
    const { id, revision } = item;
    if (!staying.has(item)) edits.push({ id, revision, edit: { action: 'delete' } });
    yield;
  }
  return edits;
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
  const nodes = await inSlices(everyOutline(outlines));
  const free = await inSlices(wantedIds(nodes, matches));
  const wanted = [...free];
  for (let start = 0; start < wanted.length; start += batchLength)
    for (const id of (await store.items.load(key, wanted.slice(start, start + batchLength))).keys())
      free.delete(id);
  return inSlices(
    (function* (): Steps<Map<OutlineNode, ItemId>> {
      const ids = new Map<OutlineNode, ItemId>();
      for (const node of nodes) {
        const own = node.id !== undefined && free.delete(itemId(node.id)) ? node.id : undefined;
        ids.set(node, matches.get(node)?.id ?? itemId(own ?? `${endpoint}.${identifier()}`));
        yield;
      }
      return ids;
    })(),
  );
}

/** The ids that outlines which are no item yet would have. */
function* wantedIds(nodes: readonly OutlineNode[], matches: OutlineMatches): Steps<Set<ItemId>> {
  const wanted = new Set<ItemId>();
  for (const node of nodes) {
    if (node.id !== undefined && !matches.has(node) && idRefusal(node.id) === undefined)
      wanted.add(itemId(node.id));
    yield;
  }
  return wanted;
}

async function checkParent({ store }: ImportPorts, { key }: Collection, parent: ItemId): Promise<void> {
  const stored = (await store.items.load(key, [parent])).get(parent);
  if (stored === undefined) throw new ItemNotFoundError(key, parent);
  if (stored.deleted) throw new ItemStateError(`The item "${parent}" is deleted; undelete it first.`);
}
