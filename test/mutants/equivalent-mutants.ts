/** A fault that a person has read and found to change nothing that can be seen. */
export interface EquivalentMutant {
  readonly path: string;
  /** The line that it is planted in, without the space around it. */
  readonly code: string;
  readonly change: string;
  readonly reason: string;
}

/** Stays short: it is for what no test can notice, not for what no test notices yet. */
export const equivalentMutants: readonly EquivalentMutant[] = [
  {
    path: 'apps/fetcher/src/request-complete.ts',
    code: "if (response.status === 'not-modified')",
    change: "no if (response.status === 'not-modified')",
    reason: 'a request without conditions has no such response; the compiler does not know that',
  },
  {
    path: 'apps/fetcher/src/tree/download-documents.ts',
    code: 'if (mustWait(ports.hosts, host)) return putBack(ports.hosts, host, job, job.documents);',
    change: 'no if (mustWait(ports.hosts, host))',
    reason: 'the loop begins nothing for such a host and puts its documents back; this spares the store',
  },
  {
    path: 'libs/items/src/ancestry.ts',
    code: 'above.size < levelsAsked',
    change: '< → <=',
    reason: 'one level more is requested on its own; its parent is the same',
  },
  {
    path: 'libs/cse/src/engine/tree-walk.ts',
    code: 'if (treeFeed === undefined) return true;',
    change: 'no if (treeFeed === undefined)',
    reason: 'only feeds that are known are taken; the compiler does not know that',
  },
  {
    path: 'libs/cse/src/engine/tree-walk.ts',
    code: 'if (treeFeed === undefined) return true;',
    change: 'true → false',
    reason: 'as above',
  },
  {
    path: 'libs/cse/src/xml/items-reader.ts',
    code: 'for (const item of items) if (item.lastBuildDate > newest) newest = item.lastBuildDate;',
    change: '> → >=',
    reason: 'an equal date takes the place of an equal one',
  },
  {
    path: 'libs/feedsync/src/engine/knowledge.ts',
    code: 'else if (entry.sequence > this.greatest(entry.by)) this.#greatest.set(entry.by, entry.sequence);',
    change: '> → >=',
    reason: 'an equal sequence takes the place of an equal one',
  },
  {
    path: 'libs/items/src/write-items.ts',
    code: 'for (let start = 0; start < chosen.length; start += batchLength)',
    change: '< → <=',
    reason: 'a batch of none is not written',
  },
  {
    path: 'libs/items/src/outline/plan-import.ts',
    code: 'if (node.children.length > 0) families.push({ parent: id, nodes: node.children });',
    change: '> → >=',
    reason: 'a family of none has no edits',
  },
  {
    path: 'libs/xml/src/prefixes.ts',
    code: 'if (code < 0x80)',
    change: '< → <=',
    reason: 'U+0080 is no NameChar by either branch',
  },
  {
    path: 'libs/xml/src/tree.ts',
    code: 'if (known !== undefined) return known;',
    change: 'no if (known !== undefined)',
    reason: 'a scope that is made again is equal to the one that was kept',
  },
];

/** Whether a fault in a line is one that changes nothing. */
export function isEquivalent(path: string, code: string, change: string): boolean {
  return equivalentMutants.some(
    (known) => known.path === path && known.code === code.trim() && known.change === change,
  );
}
