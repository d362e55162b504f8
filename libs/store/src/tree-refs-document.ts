import type { TreeRefs } from '#core';

/**
 * An item's references within a tree as MongoDB keeps them, each with what it is in front: one index finds
 * items by any of them.
 */
export type TreeRefsDocument = readonly `${keyof TreeRefs}:${string}`[];

export const guidRef = (guid: string) => `guid:${guid}` as const;
export const nestedRef = (feed: string) => `nested:${feed}` as const;
export const fileRef = (digest: string) => `files:${digest}` as const;

export function toTreeRefsDocument({ guid, nested, files }: TreeRefs): TreeRefsDocument {
  return [guidRef(guid), ...(nested === undefined ? [] : [nestedRef(nested)]), ...files.map(fileRef)];
}

export function fromTreeRefsDocument(refs: TreeRefsDocument): TreeRefs {
  const of = (kind: keyof TreeRefs): string[] =>
    refs.filter((ref) => ref.startsWith(`${kind}:`)).map((ref) => ref.slice(kind.length + 1));
  const [guid = ''] = of('guid');
  const [nested] = of('nested');
  return { guid, ...(nested !== undefined && { nested }), files: of('files') };
}
