import type { OutlineNode } from '#xml';
import { itemId } from '#core';
import type { ItemId, Placed, Steps } from '#core';
import { keysAlong } from '../keys-along.ts';
import type { RevisionEdit } from '../write-edits.ts';
import type { LiveOutline } from './live-outline.ts';
import type { OutlineMatches } from './match-outlines.ts';
import { isSamePayload } from './same-payload.ts';

/** Where a document's outlines go and which items they are. */
interface ImportTarget {
  /** The item that the document's outlines go below; absent: the root. */
  readonly parent?: ItemId;
  /** The sibling that they come after; absent: any. */
  readonly after?: Placed;
  readonly matches: OutlineMatches;
  /** The id of every outline of the document; of those that are matched the item's. */
  readonly ids: ReadonlyMap<OutlineNode, ItemId>;
}

/**
 * The edits that bring the items in step with a document (SSE 4.1, 4.2): what is new is created (revision 0),
 * what says something else is updated, what stands elsewhere is moved; among siblings as few as can be. What
 * needs nothing is left out.
 */
export function* planImport(
  outlines: readonly OutlineNode[],
  { parent: top, after, matches, ids }: ImportTarget,
): Steps<RevisionEdit[]> {
  const edits: RevisionEdit[] = [];
  const families: {
    readonly parent: ItemId | undefined;
    readonly nodes: readonly OutlineNode[];
    readonly after?: Placed;
  }[] = [{ parent: top, nodes: outlines, after }];
  for (const family of families) {
    const { parent, nodes } = family;
    const keys = yield* keysAlong(nodes, standingBelow(parent, matches), { after: family.after });
    for (const node of nodes) {
      yield;
      const id = ids.get(node) ?? itemId('');
      const live = matches.get(node);
      const key = keys.get(node);
      const position = key === undefined ? undefined : { ...(parent !== undefined && { parent }), key };
      const isUpdated = live !== undefined && !isSamePayload(node.payload, live.payload);
      if (live === undefined)
        edits.push({ id, revision: 0, edit: { action: 'create', id, payload: node.payload, position } });
      else if (isUpdated || position !== undefined) {
        edits.push({
          id,
          revision: live.revision,
          edit: {
            action: 'update',
            ...(isUpdated && { payload: node.payload }),
            ...(position && { position }),
          },
        });
      }
      if (node.children.length > 0) families.push({ parent: id, nodes: node.children });
    }
  }
  return edits;
}

/** The item that an outline is, if it stands below this parent already and has its key. */
function standingBelow(
  parent: ItemId | undefined,
  matches: OutlineMatches,
): (node: OutlineNode) => LiveOutline | undefined {
  return (node) => {
    const live = matches.get(node);
    return live?.position.key !== undefined &&
      live.position.after === undefined &&
      live.position.parent === parent
      ? live
      : undefined;
  };
}
