import { FeedError } from '#feed-xml';
import type { ScanLimits } from '#feed-xml';
import type { DownloadJob } from '#messages';
import { FetchError } from '#ports';
import type { Store } from '#ports';
import { downloadDocument } from './download-document.ts';
import type { DownloadPorts } from './download-document.ts';

type DownloadJobPorts = DownloadPorts & { readonly store: Pick<Store, 'documents' | 'contents' | 'subscriptions'> };

/**
 * Downloads the documents of a job, all at the same time as far as the limit of connections to their host allows, and records what came of
 * each; a document that fails holds up no other. Those that the fetch has downloaded already are passed over, and all of them where another
 * fetch has begun meanwhile. What is no failure of a document is thrown at the end, so that the job is tried again.
 */
export async function downloadDocuments(ports: DownloadJobPorts, limits: ScanLimits | undefined, job: DownloadJob): Promise<void> {
  const { collection, subscription, manifest } = job;
  if ((await ports.store.subscriptions.find(collection, subscription))?.manifest !== manifest) return;
  const documents = await ports.store.documents.load(collection, job.documents.map(({ url }) => url));
  const wanted = job.documents.filter(({ url }) => documents.get(url)?.outcome?.manifest !== manifest);
  const downloads = await Promise.allSettled(wanted.map((one) => downloadDocument(ports, limits, job, one, documents.get(one.url)?.copy)));
  const faults = downloads.flatMap((download) => (download.status === 'rejected' ? [download.reason as unknown] : []));
  const fault = faults.find((error) => !(error instanceof FetchError) && !(error instanceof FeedError));
  if (fault !== undefined) throw fault;
}
