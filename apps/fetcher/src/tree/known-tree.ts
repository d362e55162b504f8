import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { sealManifest } from '../seal-manifest.ts';
import { stillStated } from '../stated-schedule.ts';
import { fetchRoot } from './fetch-root.ts';
import type { FetchedRoot } from './fetch-root.ts';
import { nextTreeFetch } from './next-tree-fetch.ts';
import type { TreeCache } from './tree-cache.ts';
import type { TreeFetch } from './tree-fetch.ts';
import { isSameCopy, treeSignature } from './tree-signature.ts';

/** A root that was downloaded while its tree was in step with the last fetch. */
interface KnownRoot extends FetchedRoot {
  readonly isUnchanged: boolean;
}

/**
 * Downloads the root if the documents of its tree are as the last fetch left them, and tells whether it is
 * too: then that fetch has left nothing to do.
 */
export async function fetchKnownRoot(
  ports: FetchPorts,
  settings: FetchSettings,
  fetch: TreeFetch,
  cache: TreeCache,
): Promise<KnownRoot | undefined> {
  const { signature } = fetch.subscription.cursor.tree ?? {};
  const { documents } = cache;
  if (signature === undefined) return undefined;
  if ((await treeSignature(signedSettings(settings, fetch), documents.values())) !== signature)
    return undefined;
  if (!(await cache.hasFeeds())) return undefined;
  const former = documents.get(fetch.root);
  const root = await fetchRoot(ports, settings.scan, fetch, former);
  return { ...root, isUnchanged: isSameCopy(former?.copy, root.document?.copy) };
}

/** Ends a fetch that has found everything as the last one left it. */
export async function sealUnchanged(
  ports: FetchPorts,
  fetch: TreeFetch,
  { documents }: TreeCache,
  { document, freshness }: FetchedRoot,
): Promise<void> {
  const { collection, subscription, manifest } = fetch;
  const { cursor } = subscription;
  const asked = new Set(
    [...documents.values()].flatMap(({ url, isRequested }) => (isRequested ? [url] : [])),
  );
  const bytes = document?.outcome?.kind === 'arrived' ? document.outcome.bytes : 0;
  await sealManifest(ports, collection.key, manifest, {
    cursor,
    batches: 0,
    items: 0,
    known: 0,
    resynced: false,
    progress: { done: 1, total: 1, bytes, failed: 0 },
    ...(await nextTreeFetch(ports, fetch, {
      freshness,
      stated: stillStated(subscription.stated, ports.clock.now()),
      rhythm: subscription.rhythm,
      asked,
    })),
  });
}

/** What decides, besides its documents, about what a fetch of a tree does. */
export function signedSettings(
  { tree: { limits }, scan }: FetchSettings,
  { root, collection }: TreeFetch,
): unknown[] {
  return [root, limits, scan, collection.settings.refreshOnDemand];
}
