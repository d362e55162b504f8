import { z } from 'zod';
import { networks, seconds, wholeNumber } from './setting-kinds.ts';
import { defaultTreeLimits } from '#cse';
import { defaultScanLimits } from '#xml';
import { fetchLimits } from '#core';
import { credentialSettings } from './credential-settings.ts';
import { pipelineSettings } from './pipeline-settings.ts';
import { hubSettings } from './websub-settings.ts';
import { tenantFetchSettings, tenantSettings } from './tenant-settings.ts';

const day = 86_400;
const rateMessage = 'must be a number above 0 and up to 1000000';
/** Requests a second, also fewer than one. */
const ratePerSecond = z
  .string()
  .regex(/^\d{1,7}(\.\d{1,6})?$/, rateMessage)
  .transform(Number)
  .refine((value) => value > 0 && value <= 1_000_000, rateMessage);
const contactMessage = 'must be an http, https or mailto URL of printable ASCII without brackets, ; and \\';

/** The settings of the fetcher. */
export const fetcherSettings = pipelineSettings.extend({
  ...credentialSettings,
  FETCH_CONCURRENCY: wholeNumber(1, 1000)
    .default(16)
    .describe(
      'Feeds that one fetcher reads at the same time, and as many previews; slow ones are half of them ' +
        'at most',
    ),
  FETCH_POLLS: wholeNumber(1, 10_000)
    .default(256)
    .describe(
      'Subscriptions that one fetcher requests at the same time; most polls only wait for a response. As ' +
        'many slow ones are fetched in addition',
    ),
  FETCH_BATCH_ITEMS: wholeNumber(1, 10_000).default(250).describe('Items in a merge job'),
  FETCH_BATCH_CHARACTERS: wholeNumber(1000, 100_000_000)
    .default(1_000_000)
    .describe('Characters of XML in a merge job; one larger item is a job of its own'),
  FETCH_BACKLOG: wholeNumber(1, 1_000_000)
    .default(200)
    .describe('Merge or mirror jobs waiting in their queue at which fetching pauses'),
  FETCH_MARKUP_LENGTH: wholeNumber(0, 2_097_152)
    .default(65_536)
    .describe(
      'Characters (UTF-16) of foreign markup at the feed level that are kept of one feed; what does not ' +
        'fit is left out',
    ),
  FETCH_ADOPTED_LENGTH: wholeNumber(1000, 1_073_741_824)
    .default(16_777_216)
    .describe(
      'Characters of items without synchronisation data that are held of one feed to be adopted, and bytes ' +
        'of a feed that is mended; an item that does not fit becomes a dead letter',
    ),
  FETCH_LEASE_MS: wholeNumber(1000, day * 1000)
    .default(90_000)
    .describe('Milliseconds that a fetch may go without a sign of life before another may begin'),
  FETCH_SCHEDULE_MS: wholeNumber(10, 3_600_000)
    .default(1000)
    .describe('Milliseconds between two looks at what is due'),
  FETCH_RECONCILE_MS: wholeNumber(10, 3_600_000)
    .default(5000)
    .describe('Milliseconds between two looks for interrupted fetches'),
  FETCH_STALLED_MS: wholeNumber(1000, day * 1000)
    .default(60_000)
    .describe('Milliseconds that a fetch may be quiet while no merge or mirror job waits'),
  FETCH_MAXIMUM_STALLED_MS: wholeNumber(1000, day * 1000)
    .default(600_000)
    .describe('Milliseconds that a fetch may be quiet at all'),

  FETCH_ALLOW_NETWORKS: networks()
    .default([...fetchLimits.allowNetworks])
    .describe(
      'Networks (CIDR, comma-separated) that feeds may be fetched from although they are not public; the ' +
        'metadata service of a cloud only by its own /32 or /128',
    ),
  FETCH_CONNECT_SECONDS: seconds(day)
    .default(fetchLimits.connectSeconds)
    .describe('Seconds that connecting to a server may take, name lookup and TLS included'),
  FETCH_HEADERS_SECONDS: seconds(day)
    .default(fetchLimits.headersSeconds)
    .describe('Seconds from a request to the end of the header of its response'),
  FETCH_IDLE_SECONDS: seconds(day)
    .default(fetchLimits.idleSeconds)
    .describe(
      'Seconds that a server may be silent within a body, or fall behind the minimum rate of 1,000 bytes a ' +
        'second',
    ),
  FETCH_TOTAL_SECONDS: seconds(day)
    .default(fetchLimits.totalSeconds)
    .describe('Seconds of waiting for the servers of one fetch, redirects included'),
  FETCH_RETRY_AFTER_SECONDS: seconds(366 * day)
    .default(day)
    .describe('Seconds that a server may have its feed left alone for by `Retry-After`, at the most'),
  FETCH_UNCONDITIONAL_SECONDS: seconds(366 * day)
    .default(day)
    .describe(
      'Seconds between two requests without conditions for one feed, at the least; needed only for a ' +
        'server that sends neither `ETag` nor `Last-Modified`, and for a document that could not be read. ' +
        'As often, all documents of a mirrored tree are compared with what the last fetch left',
    ),
  FETCH_COMPARED_BYTES: wholeNumber(1000, 1_073_741_824)
    .default(1_048_576)
    .describe('Bytes of a body that are held to compare it with the last one; a longer one is read at once'),
  FETCH_MOVED_SECONDS: seconds(366 * day)
    .default(7 * day)
    .describe(
      'Seconds for which a feed must be redirected by 301 or 308 to the same place before the subscription ' +
        'gets its URL',
    ),
  FETCH_REDIRECTS: wholeNumber(0, 100)
    .default(fetchLimits.redirects)
    .describe('Redirects that one fetch follows'),
  FETCH_HEADER_BYTES: wholeNumber(1000, 1_048_576)
    .default(fetchLimits.headerBytes)
    .describe('Bytes of the header of one response'),
  FETCH_BODY_BYTES: wholeNumber(1000, 1_000_000_000_000)
    .default(fetchLimits.bodyBytes)
    .describe('Bytes of one body, after decompression'),
  FETCH_COMPRESSION_RATIO: wholeNumber(1, 10_000)
    .default(fetchLimits.compressionRatio)
    .describe('Decompressed bytes for each byte received, looked at from 1 MiB on'),
  FETCH_CONNECTIONS_PER_HOST: wholeNumber(1, 1000)
    .default(fetchLimits.connectionsPerHost)
    .describe('Requests of one fetcher in flight to one host and port; to one that has just failed, 1'),
  FETCH_LIMIT_BY: z
    .enum(['feed', 'host', 'domain'], 'must be feed, host or domain')
    .default('host')
    .describe(
      'What FETCH_HOST_RATE, FETCH_HOST_BURST and FETCH_HOST_CONNECTIONS are for: each URL, each host with ' +
        'its port, or each registrable domain',
    ),
  FETCH_HOST_RATE: ratePerSecond
    .default(10)
    .describe('Requests a second that all fetchers together send to one host'),
  FETCH_HOST_BURST: wholeNumber(1, 1_000_000)
    .default(20)
    .describe('Requests that all fetchers together send to one host at once after a rest'),
  FETCH_HOST_CONNECTIONS: wholeNumber(1, 100_000)
    .default(4)
    .describe('Requests of all fetchers together in flight to one host'),
  FETCH_BUDGET_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(1000)
    .describe(
      'Milliseconds that Redis may take to say what is left of these, and to lease polls; after that a ' +
        'fetcher tries again later',
    ),
  FETCH_KEPT_HOSTS: wholeNumber(1, 1_000_000)
    .default(fetchLimits.keptHosts)
    .describe('Hosts that one fetcher keeps idle connections to, those that it requested last'),
  FETCH_HOST_FAILURES: wholeNumber(1, 1000)
    .default(5)
    .describe('Failures in a row (no connection, no answer in time, 429, 5xx) after which a host is paused'),
  FETCH_HOST_PAUSE_SECONDS: seconds(day)
    .default(10)
    .describe('Seconds of the first pause of a host; each further one is twice as long'),
  FETCH_HOST_LONGEST_PAUSE_SECONDS: seconds(day)
    .default(900)
    .describe('Seconds of the longest pause of a host'),
  FETCH_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')
    .optional()
    .describe(
      'The product that requests name (`User-Agent`), `Feedmesh/` and its version where it is not set; ' +
        'FETCH_CONTACT_URL and the number of subscribers of a feed follow it in brackets',
    ),
  FETCH_CONTACT_URL: z
    .string()
    .regex(/^(?:https?:\/\/|mailto:)[\x21-\x27\x2a-\x3a\x3c-\x5b\x5d-\x7e]{1,200}$/, contactMessage)
    .optional()
    .describe('Where publishers can reach those who run this installation; part of `User-Agent`'),
  ...hubSettings,

  FEED_DEPTH: wholeNumber(8, 1000)
    .default(defaultScanLimits.depth)
    .describe(
      'Elements of a feed inside one another; inside one version of an item of FeedSync or SSE 56 at the ' +
        'most',
    ),
  FEED_OUTLINE_DEPTH: wholeNumber(8, 1000)
    .default(defaultScanLimits.outlineDepth)
    .describe('Elements of an OPML document inside one another'),
  FEED_ATTRIBUTES: wholeNumber(8, 10_000)
    .default(defaultScanLimits.attributes)
    .describe('Attributes of one element of a feed; of one in an item of FeedSync or SSE 240 at the most'),
  FEED_ITEM_LENGTH: wholeNumber(1000, 8_388_608)
    .default(defaultScanLimits.itemLength)
    .describe('Characters (UTF-16) of one item of a feed'),
  FEED_INHERITED_LENGTH: wholeNumber(256, 65_536)
    .default(defaultScanLimits.inheritedLength)
    .describe(
      'Characters (UTF-16) of namespaces, `xml:base` and `xml:lang` that one item may use of what is ' +
        'declared around it; they count for FEED_ITEM_LENGTH as well',
    ),
  FEED_HEAD_LENGTH: wholeNumber(1000, 8_388_608)
    .default(defaultScanLimits.headLength)
    .describe('Characters (UTF-16) of all that is not an item of a feed'),
  FEED_ITEMS: wholeNumber(1, 1_000_000_000).default(defaultScanLimits.items).describe('Items of one feed'),
  FEED_ITEM_LINKS: wholeNumber(1, 1_000_000)
    .default(defaultScanLimits.itemLinks)
    .describe('Links of one item of a feed of a mirrored tree'),

  TREE_DEPTH: wholeNumber(0, 1000)
    .default(defaultTreeLimits.depth)
    .describe('Links below the root that a feed of a mirrored tree may be'),
  TREE_DOCUMENTS: wholeNumber(1, 1_000_000)
    .default(defaultTreeLimits.documents)
    .describe('Documents of a mirrored tree that are kept in step, the root among them'),
  TREE_LINKS: wholeNumber(1, 1_000_000_000)
    .default(defaultTreeLimits.links)
    .describe(
      'Items and links of all feeds of a mirrored tree together, also on demand; each counts once more ' +
        'for every 1,000 characters of its identity or URL',
    ),
  TREE_BYTES: wholeNumber(1000, 100_000_000_000_000)
    .default(defaultTreeLimits.bytes)
    .describe('Bytes that one walk through a mirrored tree may download'),
  TREE_WALKS: wholeNumber(1, 1000)
    .default(8)
    .describe('Trees that one fetcher walks at the same time, always fewer than `FETCH_CONCURRENCY`'),
  TREE_BATCH: wholeNumber(1, 1000).default(8).describe('Documents in a download job'),
  TREE_PARALLEL: wholeNumber(1, 10_000)
    .default(32)
    .describe('Download jobs of one walk that are in progress at the same time'),
  TREE_PARALLEL_PER_HOST: wholeNumber(1, 1000)
    .default(4)
    .describe('Download jobs of one walk that are in progress to one host at the same time'),
  TREE_POLL_MS: wholeNumber(1, 60_000)
    .default(250)
    .describe('Milliseconds between two looks of a walk at what has arrived, at the most'),
  TREE_RESEND_MS: wholeNumber(1000, day * 1000)
    .default(60_000)
    .describe(
      'Milliseconds that a download job may be silent before it is sent again; twice as long with every ' +
        'further time',
    ),
  TREE_PROGRESS_MS: wholeNumber(100, 3_600_000)
    .default(5000)
    .describe('Milliseconds between two events that tell of the progress of a walk, at the least'),
  DOWNLOAD_CONCURRENCY: wholeNumber(1, 1000)
    .default(16)
    .describe('Download jobs that one fetcher works on at the same time'),
  ...tenantSettings,
  ...tenantFetchSettings,
});
export type FetcherConfiguration = z.output<typeof fetcherSettings>;
