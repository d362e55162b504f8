import { expect } from '@jest/globals';
import type { Link } from '#cse';
import { feedIdOf } from '#items';
import { tree } from './tree-endpoint.ts';
import type { TreeEndpoint } from './tree-endpoint.ts';
import { textOf } from './tree-network.ts';
import { readFeedText } from './tree-view.ts';

const everything = { limit: 100_000 };

/**
 * What is left at an endpoint that has come to rest: nothing in progress, every file that something refers
 * to, and no other.
 */
export async function expectRest({ store, events, backlog }: TreeEndpoint): Promise<void> {
  expect(await backlog()).toBe(0);
  expect(await store.manifests.unfinished(new Date(8e15), 1000)).toEqual([]);
  expect(await store.notices.collectionsPending()).toEqual([]);
  expect(await store.items.collectionsPending()).toEqual([]);
  expect(await store.collections.unfollowed()).toEqual([]);
  for (const { manifest } of await store.subscriptions.list(tree, everything))
    expect(manifest).toBeUndefined();
  const items = await store.items.list(tree, everything);
  const documents = await store.documents.list(tree, everything);
  const referred = [
    ...items.filter(({ deleted }) => !deleted).flatMap(({ branch }) => branch?.files ?? []),
    ...documents.flatMap(({ copy }) => [copy?.digest ?? [], copy?.parsed ?? []].flat()),
  ];
  expect((await store.contents.list(tree, everything)).map(({ digest }) => digest)).toEqual(
    [...new Set(referred)].toSorted(),
  );
  const sequences = events.events.map(({ sequence }) => Number(sequence));
  const { sequence = 0 } = (await store.collections.find(tree))?.publication ?? {};
  expect(sequences).toEqual(Array.from({ length: sequence }, (_, index) => index + 1));
}

/**
 * The cache of a mirror at rest holds the documents that the tree refers to, and no other; what is not on
 * demand, or was requested, as it is.
 * @param read the text at an address of the source
 */
export async function expectDocuments(
  { store }: TreeEndpoint,
  root: string,
  read: (url: string) => Promise<string | undefined>,
): Promise<void> {
  const documents = new Map(
    (await store.documents.list(tree, everything)).map((document) => [document.url, document]),
  );
  const copyOf = async (url: string): Promise<string | undefined> => {
    const digest = documents.get(url)?.copy?.digest;
    return digest === undefined ? undefined : textOf(store.contents.read(tree, digest));
  };
  /**
   * All that is linked to, by links that count; the feeds among it that the cache has a copy of are gone
   * through.
   */
  const reach = async (
    counts: (link: Link) => boolean,
  ): Promise<{ readonly all: Set<string>; readonly feeds: Set<string> }> => {
    const [all, feeds] = [new Set([root]), new Set([root])];
    for (const url of feeds) {
      for (const link of readFeedText(url, (await copyOf(url)) ?? '')
        .items.flatMap(({ links }) => links)
        .filter(counts)) {
        all.add(link.url);
        if (link.nestedFeed && documents.get(link.url)?.copy !== undefined) feeds.add(link.url);
      }
    }
    return { all, feeds };
  };
  // A copy of what is on demand by now stays as it is.
  const { all, feeds } = await reach(() => true);
  expect([...documents.keys()]).toEqual([...all].toSorted());
  expect((await store.feeds.list(tree, everything)).map(({ id }) => id)).toEqual(
    [...feeds].map((url) => feedIdOf(url, root)).toSorted(),
  );
  const automatic = await reach(({ url, onDemand }) => !onDemand || documents.get(url)?.isRequested === true);
  for (const url of automatic.all) expect([url, await copyOf(url)]).toEqual([url, await read(url)]);
}
