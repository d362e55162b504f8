import type { z } from 'zod';
import { serviceSettings, wholeNumber } from '#runtime';

/** The settings of the gateway. */
export const gatewaySettings = serviceSettings.extend({
  GATEWAY_BODY_BYTES: wholeNumber(1000, 1_000_000_000).default(4_194_304).describe('Bytes of a request body, after decompression'),
  GATEWAY_PAGE_ITEMS: wholeNumber(1, 100_000).default(1000).describe('Entries in one page of a list'),
  GATEWAY_LONGPOLL_SECONDS: wholeNumber(1, 3600).default(60).describe('Seconds that a request for changes may wait'),
  COMMAND_CONCURRENCY: wholeNumber(1, 1000).default(8).describe('Commands that one gateway runs at the same time'),
});
export type GatewayConfiguration = z.output<typeof gatewaySettings>;

/** What clients may ask for. */
export interface GatewayLimits {
  readonly pageItems: number;
  readonly longPollSeconds: number;
}
