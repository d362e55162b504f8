import type { OutlineNode } from '#feed-xml';
import { compareSiblings, keysInOrder } from '#sse';
import type { RevisionEdit } from '../write-edits.ts';
import { longestAscending } from './longest-ascending.ts';
import type { OutlineMatches } from './match-outlines.ts';
import { isSamePayload } from './same-payload.ts';

/** Where a document's outlines go and which items they are. */
interface ImportTarget {
  /** The item that the document's outlines go below; absent: the root. */
  readonly parent?: string;
  /** The key that they come after; absent: any. */
  readonly after?: string;
  readonly matches: OutlineMatches;
  /** The id of every outline of the document; of those that are matched the item's. */
  readonly ids: ReadonlyMap<OutlineNode, string>;
}

/**
 * The edits that bring the items in step with a document (SSE 4.1, 4.2): what is new is created (revision 0), what says something else
 * is updated, what stands elsewhere is moved; among siblings as few as can be. What needs nothing is left out.
 */
export function planImport(outlines: readonly OutlineNode[], { parent: top, after, matches, ids }: ImportTarget): RevisionEdit[] {
  const edits: RevisionEdit[] = [];
  const families: { readonly parent: string | undefined; readonly nodes: readonly OutlineNode[]; readonly after?: string }[] = [{ parent: top, nodes: outlines, after }];
  for (const family of families) {
    const { parent, nodes } = family;
    const keys = newKeys(nodes, matches, parent, family.after);
    for (const node of nodes) {
      const id = ids.get(node) ?? '';
      const live = matches.get(node);
      const key = keys.get(node);
      const position = key === undefined ? undefined : { ...(parent !== undefined && { parent }), key };
      const isUpdated = live !== undefined && !isSamePayload(node.payload, live.payload);
      if (live === undefined) edits.push({ id, revision: 0, edit: { action: 'create', id, payload: node.payload, position } });
      else if (isUpdated || position !== undefined) {
        edits.push({ id, revision: live.revision, edit: { action: 'update', ...(isUpdated && { payload: node.payload }), ...(position && { position }) } });
      }
      if (node.children.length > 0) families.push({ parent: id, nodes: node.children });
    }
  }
  return edits;
}

/** The keys of the siblings that have to be placed. The others stand below this parent already, and in order. */
function newKeys(nodes: readonly OutlineNode[], matches: OutlineMatches, parent: string | undefined, after?: string): Map<OutlineNode, string> {
  const standing = nodes.flatMap((node) => {
    const live = matches.get(node);
    return live?.position.key !== undefined && live.position.after === undefined && live.position.parent === parent ? [{ node, live, key: live.position.key }] : [];
  });
  const kept = new Map(longestAscending(standing, (a, b) => compareSiblings(a.live, b.live)).map(({ node, key }) => [node, key]));
  const keys = new Map<OutlineNode, string>();
  let low = after;
  let run: OutlineNode[] = [];
  const fill = (high?: string): void => {
    const made = keysInOrder(run.length, low, high);
    for (const [index, node] of run.entries()) keys.set(node, made[index] ?? '');
    run = [];
  };
  for (const node of nodes) {
    const key = kept.get(node);
    // Nothing fits between two of the same key: then the second one is moved, too.
    if (key === undefined || (run.length > 0 && low !== undefined && key <= low)) run.push(node);
    else {
      fill(key);
      low = key;
    }
  }
  fill();
  return keys;
}
