import { hostname } from 'node:os';
import { z } from 'zod';
import { serviceSettings, wholeNumber } from '#configuration';

/** The settings of the gateway. */
export const gatewaySettings = serviceSettings.extend({
  FEEDMESH_ENDPOINT: z.string().regex(/^([A-Za-z0-9()+,\-.:=@;$_!*']|%(?!00)[0-9A-Fa-f]{2})+$/, 'must be the namespace specific string of a URN (RFC 2141, 2.2)')
    .default(() => endpointOf(hostname())).describe('The base of the identifiers that this endpoint signs its changes with'),
  GATEWAY_BODY_BYTES: wholeNumber(1000, 1_000_000_000).default(4_194_304).describe('Bytes of a request body, after decompression'),
  GATEWAY_FILE_BYTES: wholeNumber(1, 1_000_000_000_000).default(1_073_741_824).describe('Bytes of a file that is sent to a tree of feeds'),
  GATEWAY_PAGE_ITEMS: wholeNumber(1, 100_000).default(1000).describe('Entries in one page of a list'),
  GATEWAY_LONGPOLL_SECONDS: wholeNumber(1, 3600).default(60).describe('Seconds that a request for changes may wait'),
  COMMAND_CONCURRENCY: wholeNumber(1, 1000).default(8).describe('Commands that one gateway runs at the same time'),
});
export type GatewayConfiguration = z.output<typeof gatewaySettings>;

function endpointOf(host: string): string {
  return `feedmesh:${host.toLowerCase().replace(/[^a-z0-9.-]/g, '-')}`;
}
