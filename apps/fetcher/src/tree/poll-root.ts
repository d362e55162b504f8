import type { TreeDocument } from '#core';
import { usualUnconditional } from '../conditions.ts';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { acknowledge } from './acknowledge.ts';
import { fetchRoot } from './fetch-root.ts';
import type { FetchedRoot } from './fetch-root.ts';
import type { ProgressReport } from './progress-report.ts';
import { signedSettings } from './signed-settings.ts';
import type { TreeFetch } from './tree-fetch.ts';
import { isSameCopy, settingsDigest, stateOf } from './tree-signature.ts';

/** A root that was requested before anything else of its tree was read. */
export interface PolledRoot extends FetchedRoot {
  /** As it was recorded before. */
  readonly former: TreeDocument;
  readonly isUnchanged: boolean;
}

/**
 * Downloads the root of a tree if no document of it has been written since the last fetch; if the root is
 * unchanged, so is the tree. What that costs does not depend on how many documents the tree has.
 * @returns undefined if the documents have to be compared first
 * @throws FetchError or FeedError if the root could not be fetched; LeaseLostError if another fetch has begun
 */
export async function pollRoot(
  ports: FetchPorts,
  settings: FetchSettings,
  fetch: TreeFetch,
  report: ProgressReport,
): Promise<PolledRoot | undefined> {
  if (!isCompared(ports, settings, fetch)) return undefined;
  const { documents } = ports.store;
  const { key } = fetch.collection;
  const [hasChanged, stored] = await Promise.all([
    documents.hasChanged(key),
    documents.load(key, [fetch.root]),
  ]);
  const former = stored.get(fetch.root);
  if (hasChanged || former === undefined) return undefined;
  const root = await fetchRoot(ports, settings.scan, fetch, former);
  const isUnchanged = isSameCopy(former.copy, root.document?.copy);
  // A server that ignores conditions has the same copy recorded each time.
  if (root.document?.changed !== undefined && stateOf(root.document) === stateOf(former))
    await acknowledge(ports.store, fetch, [root.document], report);
  return { ...root, former, isUnchanged };
}

/** Whether all documents were compared with the signature of the tree not long ago, under these settings. */
function isCompared({ clock }: FetchPorts, settings: FetchSettings, fetch: TreeFetch): boolean {
  const { tree } = fetch.subscription.cursor;
  if (tree?.comparedAt === undefined || tree.settings !== settingsDigest(signedSettings(settings, fetch)))
    return false;
  const { unconditionalEvery = usualUnconditional } = settings;
  return clock.now().getTime() - tree.comparedAt.getTime() < unconditionalEvery;
}
