import type { FetchSettings } from '../fetch-settings.ts';
import type { TreeFetch } from './tree-fetch.ts';

/** What decides, besides its documents, about what a fetch of a tree does. */
export function signedSettings(
  { tree: { limits }, scan }: FetchSettings,
  { root, collection }: TreeFetch,
): unknown[] {
  return [root, limits, scan, collection.settings.refreshOnDemand];
}
