import { FeedError } from '#xml';
import type { ScanLimits } from '#xml';
import type { DownloadJob } from '#contracts';
import { FetchError, hostOf } from '#core';
import type { CredentialKeys, HttpFetch, Store } from '#core';
import { subscriberHttp } from '../subscriber-http.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { FetchPace } from '../slow/fetch-pace.ts';
import { untilDetached } from '../slow/paced-ports.ts';
import type { SlowPlaces } from '../slow/slow-places.ts';
import { downloadDocument } from './download-document.ts';
import type { DownloadPorts } from './download-document.ts';

type DownloadJobPorts = DownloadPorts & {
  readonly store: Pick<Store, 'documents' | 'contents' | 'subscriptions'>;
  /** The limits of each host; none if absent. */
  readonly hosts?: Hosts;
  /** The places of slow downloads; any may take as long as it takes if absent. */
  readonly slow?: SlowPlaces;
  /** The keys of the credentials of subscriptions; none if absent. */
  readonly credentialKeys?: CredentialKeys;
};

type WantedDocument = DownloadJob['documents'][number];

/**
 * Downloads the documents of a job, as many at the same time as their host has free slots, and records what
 * came of each; a document that fails holds up no other. Those that the fetch has downloaded already are
 * skipped, and all of them if another fetch has begun meanwhile. What finds no free slot waits in `hosts`
 * without a worker, and what waits for a slow server goes on without one. What is no failure of a document is
 * thrown at the end, so that the job is tried again.
 */
export async function downloadDocuments(
  ports: DownloadJobPorts,
  limits: ScanLimits | undefined,
  job: DownloadJob,
): Promise<void> {
  const { collection, subscription, manifest } = job;
  const host = hostOf(job.documents[0]?.url ?? '');
  if (mustWait(ports.hosts, host)) return putBack(ports.hosts, host, job, job.documents);
  const reader = await ports.store.subscriptions.find(collection, subscription);
  if (reader?.manifest !== manifest) return;
  const http = subscriberHttp(ports.http, reader, ports.credentialKeys ?? []);
  const documents = await ports.store.documents.load(
    collection,
    job.documents.map(({ url }) => url),
  );
  const waiting = job.documents.filter(({ url }) => documents.get(url)?.outcome?.manifest !== manifest);
  const running = new Set<Promise<void>>();
  const busy = new Map<string, WantedDocument[]>();
  let fault: unknown;
  const download = async (wanted: WantedDocument, pace: FetchPace | undefined): Promise<void> => {
    const paced: HttpFetch = pace ? { get: (request) => http.get({ ...request, waits: pace }) } : http;
    try {
      const former = documents.get(wanted.url)?.copy;
      await downloadDocument({ ...ports, http: paced }, limits, job, wanted, former);
    } catch (error) {
      const isBusy = error instanceof FetchError && error.rule === 'host-busy';
      if (isBusy) busy.set(error.host ?? host, [...(busy.get(error.host ?? host) ?? []), wanted]);
      else if (!(error instanceof FetchError) && !(error instanceof FeedError)) fault ??= error;
    } finally {
      pace?.end();
    }
  };
  while (waiting.length > 0 || running.size > 0) {
    while (waiting.length > 0 && !mustWait(ports.hosts, host)) {
      const pace = ports.slow && new FetchPace(ports.slow);
      const downloaded = download(waiting.shift() as WantedDocument, pace);
      const ended = untilDetached(downloaded, pace).finally(() => running.delete(ended));
      running.add(ended);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (waiting.length > 0) busy.set(host, [...(busy.get(host) ?? []), ...waiting]);
  for (const [busyHost, left] of busy) putBack(ports.hosts, busyHost, job, left);
  ports.hosts?.resume(host);
  if (fault !== undefined) throw fault;
}

/** Whether a document of this host has to wait: not for one that is down, whose documents fail. */
function mustWait(hosts: Hosts | undefined, host: string): boolean {
  const access = hosts?.access(host) ?? 'open';
  return access === 'busy' || (access === 'paused' && hosts?.isDown(host) === false);
}

function putBack(
  hosts: Hosts | undefined,
  host: string,
  job: DownloadJob,
  documents: readonly WantedDocument[],
): void {
  hosts?.wait(host, { queue: 'download', data: { ...job, documents: [...documents] } });
}
