import { parseUrl } from '#xml';
import { nameOf } from '#core';
import type { Collection, CollectionKey, TreeLink } from '#core';
import { InvalidEditError } from '#protocol';
import type { EditPorts } from '../edit-ports.ts';
import { safeFileName } from './file-name.ts';
import { targetAt } from '#cse';
import type { LinkInput } from './links-input.ts';

/** A link of an edit before it is known whether what it names is there. */
export type LinkDraft = Omit<TreeLink, 'place' | 'target'> & {
  readonly target?: { readonly feed: string } | { readonly file: string; readonly name?: string };
};

/** What a input comes to. Throws `InvalidEditError` for a URL that is none. */
export function draftOf(input: LinkInput, publicUrl: string, collection: CollectionKey): LinkDraft {
  const onDemand = input.onDemand ?? false;
  if ('feed' in input) return { nestedFeed: true, onDemand, target: { feed: input.feed } };
  if ('file' in input)
    return {
      nestedFeed: false,
      onDemand,
      target: { file: input.file, ...(input.name !== undefined && { name: input.name }) },
    };
  const url = parseUrl(input.url);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidEditError(`A link has an absolute URL with http or https; "${input.url}" is none.`);
  url.hash = '';
  return draftOfUrl(
    { url: url.href, nestedFeed: input.nestedFeed ?? false, onDemand },
    publicUrl,
    collection,
  );
}

/**
 * A link to a URL, which may be one of ours. What is linked to as a file is no feed of the tree, whatever it
 * holds.
 */
export function draftOfUrl(
  {
    url,
    nestedFeed,
    onDemand,
  }: { readonly url: string; readonly nestedFeed: boolean; readonly onDemand: boolean },
  publicUrl: string,
  collection: CollectionKey,
): LinkDraft {
  const target = targetAt(url, publicUrl, collection);
  if (target === undefined || ('feed' in target && !nestedFeed)) return { url, nestedFeed, onDemand };
  return { nestedFeed, onDemand, target };
}

/**
 * The links that drafts come to, in their order. From here on, for the time of grace, the files that they
 * name stay.
 * @throws InvalidEditError for a feed or a file that the collection does not have
 */
export async function linksOf(
  { store }: EditPorts,
  { key: collection }: Pick<Collection, 'key'>,
  drafts: readonly LinkDraft[],
): Promise<Omit<TreeLink, 'place'>[]> {
  const digests = [
    ...new Set(
      drafts.flatMap(({ target }) => (target !== undefined && 'file' in target ? [target.file] : [])),
    ),
  ];
  const feeds = [
    ...new Set(
      drafts.flatMap(({ target }) => (target !== undefined && 'feed' in target ? [target.feed] : [])),
    ),
  ];
  await store.contents.touch(collection, digests);
  const contents = await store.contents.load(collection, digests);
  const known = await store.feeds.load(collection, feeds);
  return drafts.map(({ target, ...link }) => {
    if (target === undefined) return link;
    if ('feed' in target) {
      if (!known.has(target.feed))
        throw new InvalidEditError(`The collection "${nameOf(collection)}" has no feed "${target.feed}".`);
      return { ...link, target };
    }
    const content = contents.get(target.file);
    if (content === undefined)
      throw new InvalidEditError(`The collection "${nameOf(collection)}" has no file ${target.file}.`);
    const { digest: file, length, type } = content;
    return {
      ...link,
      target: { file, name: safeFileName(target.name ?? ''), length, ...(type !== undefined && { type }) },
    };
  });
}
