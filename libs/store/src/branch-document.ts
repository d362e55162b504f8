import type { Branch } from '#core';

/**
 * A branch as MongoDB keeps it: without `files` if there are none, so that an item costs no index entry
 * for them.
 */
export type BranchDocument = Omit<Branch, 'files'> & Partial<Pick<Branch, 'files'>>;

export function toBranchDocument({ guid, nested, files }: Branch): BranchDocument {
  return { guid, ...(nested !== undefined && { nested }), ...(files.length > 0 && { files }) };
}

export function fromBranchDocument({ files = [], ...rest }: BranchDocument): Branch {
  return { ...rest, files };
}
