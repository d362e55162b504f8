import { z } from 'zod';
import { accessSettings, missingAccess } from './access-settings.ts';
import { hostNames, optionalText, origins, seconds, wholeNumber } from './setting-kinds.ts';
import { auditSettings } from './audit-settings.ts';
import { credentialSettings } from './credential-settings.ts';
import { serviceSettings } from './service-settings.ts';
import { tenantFetchSettings, tenantSettings } from './tenant-settings.ts';
import { readTlsFiles } from './tls-files.ts';
import type { TlsFiles } from './tls-files.ts';
import { callbackSettings } from './websub-settings.ts';

const settings = serviceSettings.extend({
  FEEDMESH_ENDPOINT: z
    .string()
    .regex(
      /^([A-Za-z0-9()+,\-.:=@;$_!*']|%(?!00)[0-9A-Fa-f]{2})+$/,
      'must be the namespace specific string of a URN (RFC 2141, 2.2)',
    )
    .optional()
    .describe(
      'What the endpoint identifiers of new collections begin with; no other installation may have the ' +
        'same. By default a random one that is kept in MongoDB',
    ),
  GATEWAY_BODY_BYTES: wholeNumber(1000, 1_000_000_000)
    .default(4_194_304)
    .describe('Bytes of a request body, after decompression'),
  GATEWAY_JSON_DEPTH: wholeNumber(4, 1000)
    .default(64)
    .describe('Arrays and objects of JSON inside one another in a request body'),
  GATEWAY_JSON_VALUES: wholeNumber(100, 10_000_000)
    .default(40_000)
    .describe('Values of JSON in a request body, those in arrays and objects counted one by one'),
  GATEWAY_HOSTS: hostNames()
    .optional()
    .describe(
      'Host names (comma-separated) that requests may be for, besides that of PUBLIC_URL, `localhost` ' +
        "and IP addresses; `*` for any. If it is not set, any, or none if HOST is this machine's own " +
        '(127.0.0.1)',
    ),
  GATEWAY_TLS_CERT: optionalText(
    'A file (PEM) with the certificate of the gateway, and those between it and a trusted one; with it, ' +
      'the gateway takes requests with TLS alone, and PUBLIC_URL must be an https URL',
  ),
  GATEWAY_TLS_KEY: optionalText('A file (PEM) with the key of GATEWAY_TLS_CERT'),
  GATEWAY_TLS_RENEW_SECONDS: seconds(86_400)
    .default(60)
    .describe('Seconds between two looks at these files; a renewed certificate is used without a restart'),
  GATEWAY_ORIGINS: origins()
    .optional()
    .describe(
      'Origins (comma-separated, such as `https://console.example`) of web pages that may use the API; ' +
        '`*` for all. If it is not set, pages of other origins change and read nothing',
    ),
  GATEWAY_FILE_BYTES: wholeNumber(1, 1_000_000_000_000)
    .default(1_073_741_824)
    .describe('Bytes of a file that is sent to a tree of feeds'),
  GATEWAY_PAGE_ITEMS: wholeNumber(1, 100_000).default(1000).describe('Entries in one page of a list'),
  GATEWAY_PAGE_BYTES: wholeNumber(1000, 1_000_000_000)
    .default(1_048_576)
    .describe(
      'Bytes of JSON after which a page of a list ends, with fewer entries than its limit; one entry may ' +
        'be larger',
    ),
  GATEWAY_READER_ITEMS: wholeNumber(1, 10_000)
    .default(100)
    .describe('Entries in a feed for feed readers, the latest ones'),
  GATEWAY_LONGPOLL_SECONDS: wholeNumber(1, 3600)
    .default(60)
    .describe('Seconds that a request for changes may wait'),
  GATEWAY_DOWNLOADS: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('Feeds, outlines and files that one gateway sends at the same time; further requests get 503'),
  GATEWAY_TENANT_DOWNLOADS: wholeNumber(1, 1_000_000)
    .default(50)
    .describe('How many of these may be of the same tenant; its further requests get 429'),
  GATEWAY_FEED_CACHE_BYTES: wholeNumber(0, 100_000_000_000)
    .default(33_554_432)
    .describe('Bytes of feeds that one gateway keeps as they were sent last, compressed; 0 keeps none'),
  GATEWAY_CHANGE_READERS: wholeNumber(1, 1_000_000)
    .default(2000)
    .describe(
      'Event streams and waiting long polls of one gateway at the same time; further requests get 503',
    ),
  GATEWAY_TENANT_REQUESTS: wholeNumber(1, 1_000_000)
    .default(4)
    .describe(
      'Requests of a tenant that one gateway works on at the same time while other tenants send some too; ' +
        'further ones wait',
    ),
  GATEWAY_TENANT_WAITING: wholeNumber(0, 1_000_000)
    .default(1000)
    .describe('Requests of a tenant that wait for that at one gateway; further ones get 429'),
  GATEWAY_TENANT_WAIT_SECONDS: seconds(3600)
    .default(5)
    .describe('Seconds that a request waits for that before it gets 429'),
  GATEWAY_TENANT_SLOW_SECONDS: seconds(3600)
    .default(1)
    .describe('Seconds after which a request in progress counts no more if others of its tenant wait'),
  GATEWAY_STALL_SECONDS: seconds(86_400)
    .default(30)
    .describe(
      'Seconds that a client may take to read 64 KiB of a response, or for a TLS handshake, before it is ' +
        'disconnected',
    ),
  GATEWAY_MONGODB_SECONDS: seconds(3600)
    .default(4)
    .describe('Seconds that MongoDB may take to answer an operation, which is then tried once more'),
  GATEWAY_RETRY_SECONDS: wholeNumber(1, 3600)
    .default(5)
    .describe('Seconds after which clients are to try again what is not available (`Retry-After`)'),
  GATEWAY_IDEMPOTENCY_SECONDS: seconds(31_536_000)
    .default(86_400)
    .describe(
      'Seconds in which an edit of an item that is sent again under its `Idempotency-Key` is not made again',
    ),
  GATEWAY_IDEMPOTENCY_KEYS: wholeNumber(1, 1000)
    .default(50)
    .describe('Such keys that are kept with one item, the latest ones'),
  GATEWAY_DELETE_ITEMS: wholeNumber(0, 1_000_000)
    .default(500)
    .describe(
      'Outlines in an outline that a request deletes with it; if there are more, the response is 202 and ' +
        'the merger deletes them',
    ),
  GATEWAY_LATE_SECONDS: seconds(31_536_000)
    .default(300)
    .describe('Seconds that a subscription may be due without being fetched before it is shown as late'),
  GATEWAY_REFRESH_RATE: wholeNumber(1, 100_000)
    .default(100)
    .describe('Feeds in a second that become due if many are refreshed or resumed by one request'),
  TENANT_COLLECTIONS: wholeNumber(0, 1_000_000_000)
    .default(1000)
    .describe('Collections that a tenant may have unless it has a limit of its own'),
  TENANT_SUBSCRIPTIONS: wholeNumber(0, 1_000_000_000)
    .default(10_000)
    .describe('Subscriptions that a tenant may have unless it has a limit of its own'),
  ...tenantSettings,
  TENANT_REQUESTS_PER_SECOND: wholeNumber(1, 1_000_000)
    .default(500)
    .describe(
      'Requests a second that all gateways together let through for a tenant, in the long run, unless ' +
        'it has a limit of its own',
    ),
  TENANT_BURST_SECONDS: wholeNumber(1, 3600)
    .default(5)
    .describe('Seconds of requests that a tenant may send at once after a rest'),
  TENANT_QUOTA_TIMEOUT_MS: wholeNumber(1, 600_000)
    .default(500)
    .describe(
      'Milliseconds that Redis may take to say how many requests and event streams a tenant has left; ' +
        'after that a gateway keeps to its own share',
    ),
  TENANT_EVENT_STREAMS: wholeNumber(0, 1_000_000)
    .default(1000)
    .describe(
      'Event streams and waiting long polls of a tenant at the same time, at all gateways together, unless ' +
        'it has a limit of its own',
    ),
  ...tenantFetchSettings,
  ...accessSettings,
  ...auditSettings,
  ...callbackSettings,
  ...credentialSettings,
  COMMAND_CONCURRENCY: wholeNumber(1, 1000)
    .default(8)
    .describe('Commands that one gateway runs at the same time'),
});

/** The settings of the gateway. */
export const gatewaySettings = settings.superRefine((configuration, context) => {
  const message = missingAccess(configuration);
  if (message !== undefined) context.addIssue({ code: 'custom', path: ['AUTH_SECRETS'], message });
  if (configuration.AUTH_JWT_JWKS !== undefined)
    for (const name of ['AUTH_JWT_ISSUER', 'AUTH_JWT_AUDIENCE'] as const)
      if (configuration[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'must be set with AUTH_JWT_JWKS' });
  const { GATEWAY_TLS_CERT, PUBLIC_URL = '' } = configuration;
  if (GATEWAY_TLS_CERT !== undefined && !/^https:/i.test(PUBLIC_URL))
    context.addIssue({
      code: 'custom',
      path: ['PUBLIC_URL'],
      message: 'must be an https URL with GATEWAY_TLS_CERT',
    });
});
export type GatewayConfiguration = z.output<typeof gatewaySettings>;

/**
 * The certificate that the gateway has, and its key, as their files are now; undefined if it takes requests
 * without TLS. Throws `ConfigurationError` if one can't be read or the two do not belong together.
 */
export function gatewayCertificate({
  GATEWAY_TLS_CERT,
  GATEWAY_TLS_KEY,
}: Pick<GatewayConfiguration, 'GATEWAY_TLS_CERT' | 'GATEWAY_TLS_KEY'>): TlsFiles | undefined {
  if (GATEWAY_TLS_CERT === undefined && GATEWAY_TLS_KEY === undefined) return undefined;
  return readTlsFiles('GATEWAY', { GATEWAY_TLS_CERT, GATEWAY_TLS_KEY }, { isRequested: true, how: '' });
}
