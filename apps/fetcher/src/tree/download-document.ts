import { requestOf } from '#cse';
import { keepFeed } from '#items';
import { FeedError } from '#xml';
import type { ScanLimits } from '#xml';
import type { DownloadJob } from '#contracts';
import { endBody, FetchError, TenantLimitError } from '#core';
import type {
  CachedCopy,
  Clock,
  CollectionKey,
  DownloadOutcome,
  FetchResponse,
  Freshness,
  HttpFetch,
  Store,
} from '#core';
import { keptFields } from '../kept-fields.ts';
import { failureOf } from './download-failure.ts';

export interface DownloadPorts {
  readonly store: Pick<Store, 'documents' | 'contents'>;
  readonly http: HttpFetch;
  readonly clock: Clock;
}

type WantedDocument = DownloadJob['documents'][number];

/**
 * Downloads one document of a tree by a conditional GET and records what came of it. A body is kept as it
 * arrives; one that is to be a feed is read on the way, and kept only if it is one.
 * @param former the copy that the cache holds
 * @param limits of a feed; the defaults of `#xml` if absent
 * @throws FetchError or FeedError for a document that failed, which is recorded too; FetchError `host-busy`,
 * unrecorded, if no connection to a host was free
 */
export async function downloadDocument(
  ports: DownloadPorts,
  limits: ScanLimits | undefined,
  { collection, manifest }: Pick<DownloadJob, 'collection' | 'manifest'>,
  wanted: WantedDocument,
  former: CachedCopy | undefined,
): Promise<Freshness> {
  const { documents } = ports.store;
  const { url } = wanted;
  const record = (outcome: DownloadOutcome, copy?: CachedCopy): Promise<void> =>
    documents.record(collection, url, outcome, copy);
  try {
    const response = await ports.http.get(requestOf(wanted, former));
    if (response.status === 'not-modified') {
      if (former === undefined)
        throw new FetchError(
          'http-status',
          `${url}: the server responded with 304 to a request without conditions`,
          { status: 304 },
        );
      const { isFeed, lastBuildDate } = wanted;
      const isSame = former.isFeed === isFeed && former.lastBuildDate === lastBuildDate;
      await record(
        { manifest, kind: 'unchanged' },
        isSame ? undefined : { ...former, isFeed, lastBuildDate },
      );
    } else {
      const copy = await keep(ports, limits, collection, wanted, response);
      await record({ manifest, kind: 'arrived', bytes: copy.length }, copy);
    }
    return response.freshness;
  } catch (error) {
    if (!(error instanceof FetchError) && !(error instanceof FeedError)) throw error;
    if (error instanceof FetchError && error.rule === 'host-busy') throw error;
    await record({ manifest, kind: 'failed', ...failureOf(url, error) });
    throw error;
  }
}

type OkResponse = Extract<FetchResponse, { status: 'ok' }>;

async function keep(
  { store, clock }: DownloadPorts,
  limits: ScanLimits | undefined,
  collection: CollectionKey,
  { isFeed, lastBuildDate }: WantedDocument,
  response: OkResponse,
): Promise<CachedCopy> {
  const { url: base } = response;
  const { contentType: type, ...validators } = keptFields(response);
  const { body, contentType } = response;
  const written = { ...(type !== undefined && { type }), at: clock.now() };
  try {
    const { content, ...feed } = isFeed
      ? await keepFeed(store.contents, collection, body, { base, contentType, limits }, written)
      : { content: await store.contents.write(collection, body, written) };
    const { digest, length } = content;
    const described = { ...(type !== undefined && { type }), ...validators, ...feed };
    return { lastBuildDate, digest, length, base, isFeed, ...described };
  } catch (error) {
    if (error instanceof TenantLimitError) throw new FetchError('tenant-limit', error.message);
    throw error;
  } finally {
    await endBody(response.body);
  }
}
