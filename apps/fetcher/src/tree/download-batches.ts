import type { Download } from '#cse';
import type { TreeSettings } from './tree-settings.ts';

/** Downloads of one host that make a job. */
export interface DownloadBatch {
  /** Of the first one. */
  readonly url: string;
  readonly downloads: readonly Download[];
}

/**
 * Groups downloads by host: as many in a batch as may be, but fewer if all batches of the host can then be
 * in progress at once.
 */
export function batchDownloads(
  downloads: readonly Download[],
  { batch, parallelPerHost }: Pick<TreeSettings, 'batch' | 'parallelPerHost'>,
): DownloadBatch[] {
  const hosts = new Map<string, Download[]>();
  for (const download of downloads) {
    const { host } = new URL(download.url);
    const row = hosts.get(host);
    if (row === undefined) hosts.set(host, [download]);
    else row.push(download);
  }
  return [...hosts.values()].flatMap((row) => {
    const size = Math.min(batch, Math.ceil(row.length / parallelPerHost));
    return Array.from({ length: Math.ceil(row.length / size) }, (_, index) =>
      row.slice(index * size, (index + 1) * size),
    ).flatMap((part) => part.slice(0, 1).map(({ url }) => ({ url, downloads: part })));
  });
}
