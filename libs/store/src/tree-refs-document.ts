import type { TreeRefs } from '#core';

/**
 * An item's references within a tree as MongoDB keeps them: without `files` if there are none, so that they
 * cost no index entry.
 */
export type TreeRefsDocument = Omit<TreeRefs, 'files'> & Partial<Pick<TreeRefs, 'files'>>;

export function toTreeRefsDocument({ guid, nested, files }: TreeRefs): TreeRefsDocument {
  return { guid, ...(nested !== undefined && { nested }), ...(files.length > 0 && { files }) };
}

export function fromTreeRefsDocument({ files = [], ...rest }: TreeRefsDocument): TreeRefs {
  return { ...rest, files };
}
