import { maximumUrlLength } from '#http-fetch';
import type { PreviewJob, PreviewReply, PreviewView } from '#contracts';
import { comparableUrl, endBody, failureCause, FetchError, inSlices, Slices, withoutUserInfo } from '#core';
import type { FetchResponse } from '#core';
import { adoptedLength, pageBytes, pageFeeds, readFeed } from '#plain-feeds';
import { protocolOfDocument, protocols } from '#protocols';
import { beginningText, defaultScanLimits, FeedError } from '#xml';
import { beginDocument } from '../discovery/begun-document.ts';
import { firstLivingFeed } from '../discovery/living-feed.ts';
import { firstBytes } from '../body-pieces.ts';
import type { FetchPorts } from '../fetch-ports.ts';
import type { FetchSettings } from '../fetch-settings.ts';
import { inThisProcess } from '../plain-work/in-this-process.ts';
import { PreviewItems } from './preview-items.ts';

type Document = Extract<FetchResponse, { status: 'ok' }>;

/** What a preview needs of the world. */
export type PreviewPorts = Pick<FetchPorts, 'http' | 'clock' | 'robots' | 'reading' | 'work' | 'tenants'>;

/** Says that a preview did not begin, or not come far, and may be requested again. */
const temporaryRules: ReadonlySet<string> = new Set([
  'host-busy',
  'host-paused',
  'tenant-limit',
  'preview-timeout',
]);

/**
 * Fetches a feed, or the one that an HTML page names, and returns what a subscription would read, or why that
 * can't be read. Nothing is stored. The limits of hosts and tenants apply as to any fetch.
 */
export async function previewFeed(
  ports: PreviewPorts,
  settings: Pick<FetchSettings, 'adoptedLength' | 'scan'>,
  job: PreviewJob,
): Promise<PreviewReply> {
  const slices = new Slices();
  const heartbeat = async (): Promise<void> => {
    await slices.rest();
    if (ports.clock.now().toISOString() < new Date(job.until).toISOString()) return;
    throw new FetchError('preview-timeout', `${job.url}: the feed was not read in time`);
  };
  try {
    await heartbeat();
    const delay = job.tenant === undefined ? undefined : await ports.tenants?.delayOf(job.tenant);
    if (delay !== undefined) throw new FetchError('tenant-limit', delay.nextFetchReason);
    return { preview: await preview(ports, settings, job, heartbeat) };
  } catch (error) {
    if (!(error instanceof FetchError) && !(error instanceof FeedError)) throw error;
    const rule = error instanceof FetchError ? error.rule : error.violation.rule;
    const cause = failureCause(error instanceof FetchError ? error : { rule });
    const isTemporary = temporaryRules.has(rule);
    return { failure: { rule, cause, reason: error.message, ...(isTemporary && { isTemporary }) } };
  }
}

async function preview(
  ports: PreviewPorts,
  settings: Pick<FetchSettings, 'adoptedLength' | 'scan'>,
  { url, limit }: PreviewJob,
  heartbeat: () => Promise<void>,
): Promise<PreviewView> {
  const first = await get(ports, url);
  let response = first;
  try {
    let begun = await beginDocument(response);
    const isPage = begun.kind === 'html';
    if (isPage) {
      response = await get(ports, await feedOfPage(ports, begun.response, heartbeat));
      begun = await beginDocument(response);
    }
    const leave = await ports.reading?.take(heartbeat);
    try {
      const read = await readDocument(ports, settings, begun, limit, heartbeat);
      return { ...read, ...(isPage && { page: withoutUserInfo(first.url) }) };
    } finally {
      leave?.();
    }
  } finally {
    await endBody(first.body);
    if (response !== first) await endBody(response.body);
  }
}

async function get({ http }: PreviewPorts, url: string): Promise<Document> {
  const response = await http.get({ url });
  if (response.status === 'ok') return response;
  throw new FetchError(
    'http-status',
    `${url}: the server responded with 304 to a request without conditions`,
  );
}

/**
 * @throws FetchError `no-feed-link` if the page names no feed, or none that responds with one, or as its
 *   site's rules for crawlers say
 */
async function feedOfPage(
  { http, robots }: PreviewPorts,
  page: Document,
  heartbeat: () => Promise<void>,
): Promise<string> {
  await robots?.check(http, page.url);
  const bytes = await firstBytes(page.body, pageBytes);
  await endBody(page.body);
  const isUsable = (url: string): boolean =>
    url.length <= maximumUrlLength && comparableUrl(url) !== comparableUrl(page.url);
  const feeds = await inSlices(pageFeeds({ ...page, bytes }, isUsable));
  if (feeds.length === 0)
    throw new FetchError('no-feed-link', `${page.url} is an HTML page that names no feed`);
  const urls = feeds.map(({ url }) => withoutUserInfo(url));
  return firstLivingFeed(http, urls, page.url, heartbeat);
}

async function readDocument(
  { work = inThisProcess }: PreviewPorts,
  {
    adoptedLength: length = adoptedLength,
    scan = defaultScanLimits,
  }: Pick<FetchSettings, 'adoptedLength' | 'scan'>,
  { response, beginning, kind }: Awaited<ReturnType<typeof beginDocument>>,
  limit: number,
  heartbeat: () => Promise<void>,
): Promise<PreviewView> {
  const protocol = protocolOfDocument(beginningText(beginning, response.contentType));
  const [protocolName = ''] = [...protocols].find(([, one]) => one === protocol) ?? [];
  const { url } = response;
  const items = new PreviewItems({
    protocol,
    protocolName,
    url,
    limit,
    work,
    heartbeat,
    adoptedLength: length,
    itemLength: scan.itemLength,
  });
  const scanning = { limits: scan, dialect: protocol.dialect, tolerance: items.tolerance };
  const { head } = await readFeed(response, scanning, (fragments) => items.take(fragments));
  return {
    url: withoutUserInfo(url),
    ...(head.title !== undefined && { title: head.title.slice(0, titleLength) }),
    format: head.format,
    document: kind,
    ...(await items.end(head)),
  };
}

/** How long a title is at most, in UTF-16 code units. */
const titleLength = 4096;
