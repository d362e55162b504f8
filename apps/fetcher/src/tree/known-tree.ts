import type { TreeCursor } from '#core';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { acknowledge } from './acknowledge.ts';
import { sealManifest } from '../seal-manifest.ts';
import { stillStated } from '../stated-schedule.ts';
import { fetchRoot } from './fetch-root.ts';
import type { FetchedRoot } from './fetch-root.ts';
import { nextTreeFetch } from './next-tree-fetch.ts';
import type { TreeCache } from './tree-cache.ts';
import type { TreeFetch } from './tree-fetch.ts';
import type { ProgressReport } from './progress-report.ts';
import { signedSettings } from './signed-settings.ts';
import { isSameCopy, settingsDigest, stateOf, treeSignature } from './tree-signature.ts';

/** A root that was downloaded while its tree was in step with the last fetch. */
interface KnownRoot extends FetchedRoot {
  readonly isUnchanged: boolean;
}

/**
 * Downloads the root if the documents of its tree are as the last fetch left them, and tells whether it is
 * too: then that fetch has left nothing to do.
 * @param fetched the root if it has been downloaded already; the cache has it as it was before
 */
export async function fetchKnownRoot(
  ports: FetchPorts,
  settings: FetchSettings,
  fetch: TreeFetch,
  cache: TreeCache,
  fetched?: FetchedRoot,
): Promise<KnownRoot | undefined> {
  const { signature } = fetch.subscription.cursor.tree ?? {};
  const { documents } = cache;
  if (signature === undefined) return undefined;
  if ((await treeSignature(signedSettings(settings, fetch), documents.values())) !== signature)
    return undefined;
  if (!(await cache.hasFeeds())) return undefined;
  const former = documents.get(fetch.root);
  const root = fetched ?? (await fetchRoot(ports, settings.scan, fetch, former));
  return { ...root, isUnchanged: isSameCopy(former?.copy, root.document?.copy) };
}

/**
 * Ends a fetch that has found everything as the last one left it: until something is written, the next ones
 * need not compare the documents.
 */
export async function sealUnchanged(
  ports: FetchPorts,
  settings: FetchSettings,
  fetch: TreeFetch,
  { documents }: TreeCache,
  { document, freshness }: FetchedRoot,
  report: ProgressReport,
): Promise<void> {
  const { collection, subscription, manifest } = fetch;
  const { cursor } = subscription;
  const former = documents.get(fetch.root);
  const isRootInStep = document && former && stateOf(document) === stateOf(former);
  const others = [...documents.values()].filter(({ url }) => url !== fetch.root);
  await acknowledge(ports.store, fetch, isRootInStep ? [...others, document] : others, report);
  const asked = new Set(
    [...documents.values()].flatMap(({ url, isRequested }) => (isRequested ? [url] : [])),
  );
  const bytes = document?.outcome?.kind === 'arrived' ? document.outcome.bytes : 0;
  await sealManifest(ports, collection.key, manifest, {
    cursor: cursor.tree ? { ...cursor, tree: comparedNow(ports, settings, fetch, cursor.tree) } : cursor,
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

/** What the cursor says of a tree whose documents have this signature now. */
export function comparedNow(
  { clock }: Pick<FetchPorts, 'clock'>,
  settings: FetchSettings,
  fetch: TreeFetch,
  { signature }: TreeCursor,
): TreeCursor {
  return { signature, settings: settingsDigest(signedSettings(settings, fetch)), comparedAt: clock.now() };
}
