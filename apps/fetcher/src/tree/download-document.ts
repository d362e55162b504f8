import { CseFeedReader, requestOf } from '#cse';
import { DocumentBeginning, FeedError } from '#xml';
import type { ScanLimits } from '#xml';
import type { DownloadJob } from '#contracts';
import { endBody, FetchError } from '#core';
import type { CachedCopy, Clock, DownloadOutcome, FetchResponse, Freshness, HttpFetch, Store } from '#core';
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
      await record(
        { manifest, kind: 'unchanged' },
        { ...former, isFeed: wanted.isFeed, lastBuildDate: wanted.lastBuildDate },
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
  collection: string,
  { isFeed, lastBuildDate }: WantedDocument,
  response: OkResponse,
): Promise<CachedCopy> {
  const { url: base } = response;
  const { contentType: type, ...validators } = keptFields(response);
  const body = isFeed
    ? readOnTheWay(
        response.body,
        new CseFeedReader({ base, contentType: response.contentType, limits, isForgetful: true }),
      )
    : response.body;
  try {
    const written = { ...(type !== undefined && { type }), at: clock.now() };
    const { digest, length } = await store.contents.write(collection, body, written);
    return {
      lastBuildDate,
      digest,
      length,
      base,
      isFeed,
      ...(type !== undefined && { type }),
      ...validators,
    };
  } finally {
    await endBody(response.body);
  }
}

/** The bytes of a body, all of which the reader has taken when they end. */
async function* readOnTheWay(
  body: AsyncIterable<Uint8Array>,
  reader: CseFeedReader,
): AsyncGenerator<Uint8Array> {
  const beginning = new DocumentBeginning();
  try {
    for await (const bytes of body) {
      beginning.take(bytes);
      reader.write(bytes);
      yield bytes;
    }
    reader.end();
  } catch (error) {
    throw error instanceof FeedError ? beginning.explain(error) : error;
  }
}
