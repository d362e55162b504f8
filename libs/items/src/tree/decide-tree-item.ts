import type { ParsedCseItem, LinkOccurrence } from '#cse';
import type { CachedCopy, TreeContent, TreeDocument, TreeLink } from '#core';
import { feedIdOf } from './feed-id.ts';
import { fileNameOf } from './file-name.ts';

/** What an item of a mirrored feed is decided by. */
export interface TreeItemInput {
  readonly parsed: Pick<ParsedCseItem, 'item' | 'data' | 'links'>;
  /** The id of its feed, and the URL of the root of the tree. */
  readonly feed: string;
  readonly root: string;
  /** What is stored of it, also if it is deleted. */
  readonly local?: TreeContent;
  /** The key that it is to have from now on; absent: the one that it has. */
  readonly key?: string;
  /** By URL: what the cache holds of what it links to. */
  readonly documents: ReadonlyMap<string, TreeDocument>;
  /** RFC 3339. */
  readonly when: string;
}

/**
 * What becomes of an item: `incomplete` if something that it links to has no copy yet that is in step with
 * it, so that it stays as it was.
 */
export type TreeItemDecision =
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly content: TreeContent };

/** Decides on one item of a mirrored feed (CSE, Sync Algorithm; csx:link and its attributes). */
export function decideTreeItem({
  parsed: { item, data, links },
  feed,
  root,
  local,
  key,
  documents,
  when,
}: TreeItemInput): TreeItemDecision {
  const isInStep = item.links.every(({ url, nestedFeed, onDemand }) => {
    const copy = copyOf(documents, url, nestedFeed);
    return onDemand || (copy !== undefined && copy.lastBuildDate >= item.lastBuildDate);
  });
  if (!isInStep) return { kind: 'incomplete' };
  const counting = new Map(item.links.map(({ url, nestedFeed }) => [url, nestedFeed]));
  const counts = ({ url, nestedFeed }: LinkOccurrence): boolean => counting.get(url) === nestedFeed;
  const written = links.map((link) =>
    treeLink(link, counts(link) ? copyOf(documents, link.url, link.nestedFeed) : undefined, root),
  );
  const leadsToSource = links.some((link, index) => counts(link) && written[index]?.target === undefined);
  const content: TreeContent = {
    feed,
    guid: item.id,
    hidden: item.hidden,
    deleted: false,
    version: (local?.version ?? 0) + 1,
    when,
    ...(leadsToSource && { sourceDate: item.lastBuildDate }),
    data,
    links: written,
    position:
      key === undefined && local !== undefined
        ? local.position
        : { parent: feed, ...(key !== undefined && { key }) },
  };
  return local !== undefined && meaningOf(local) === meaningOf(content)
    ? { kind: 'unchanged' }
    : { kind: 'changed', content };
}

/** The copy of a document, as far as it is of the kind that a link wants. */
function copyOf(
  documents: ReadonlyMap<string, TreeDocument>,
  url: string,
  nestedFeed: boolean,
): CachedCopy | undefined {
  const copy = documents.get(url)?.copy;
  return nestedFeed && copy?.isFeed !== true ? undefined : copy;
}

function treeLink(
  { place, url, nestedFeed, onDemand }: LinkOccurrence,
  copy: CachedCopy | undefined,
  root: string,
): TreeLink {
  const link = { place, url, nestedFeed, onDemand };
  if (copy === undefined) return link;
  if (nestedFeed) return { ...link, target: { feed: feedIdOf(url, root) } };
  const { digest: file, length, type } = copy;
  return { ...link, target: { file, name: fileNameOf(url), length, ...(type !== undefined && { type }) } };
}

/** Everything of an item but its version and its time. */
function meaningOf({
  hidden,
  deleted,
  sourceDate,
  data: { children, scope, attributes = [] },
  links,
  position,
}: TreeContent): string {
  return JSON.stringify([
    hidden,
    deleted,
    sourceDate,
    position.key,
    children.map(({ namespace, name, xml }) => [namespace, name, xml]),
    scope.namespaces,
    scope.base,
    scope.language,
    attributes.map(({ namespace, name, value }) => [namespace, name, value]),
    links.map(({ place: { child, start, end }, url, nestedFeed, onDemand, target }) => [
      child,
      start,
      end,
      url,
      nestedFeed,
      onDemand,
      target && targetMeaning(target),
    ]),
  ]);
}

function targetMeaning(target: NonNullable<TreeLink['target']>): readonly unknown[] {
  return 'feed' in target ? [target.feed] : [target.file, target.name, target.length, target.type];
}
