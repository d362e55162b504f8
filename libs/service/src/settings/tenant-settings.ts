import { wholeNumber } from './setting-kinds.ts';

/** The limits of what is stored of a tenant, of the services that store something. */
export const tenantSettings = {
  TENANT_ITEMS: wholeNumber(0, 1_000_000_000)
    .default(1_000_000)
    .describe('Items that a tenant may have unless it has a limit of its own; deleted ones are not counted'),
  TENANT_BYTES: wholeNumber(0, 1_000_000_000_000_000)
    .default(10_737_418_240)
    .describe(
      'Bytes that the items (with their histories and conflicts, as they are stored), tombstones and files ' +
        'of a tenant may take unless it has a limit of its own',
    ),
  TENANT_FILES: wholeNumber(0, 1_000_000_000)
    .default(100_000)
    .describe(
      'Files, and copies of documents of mirrored trees, that a tenant may have unless it has a limit of ' +
        'its own',
    ),
};

/** The limit of what is fetched for a tenant. */
export const tenantFetchSettings = {
  TENANT_FETCHES_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(600)
    .describe(
      'Fetches of the subscriptions of a tenant in a minute, by all fetchers together, unless it has a ' +
        'limit of its own',
    ),
};

/** What of a tenant the settings limit. */
export interface TenantConfiguration {
  readonly TENANT_ITEMS: number;
  readonly TENANT_BYTES: number;
  readonly TENANT_FILES: number;
}

/** Returns how much is stored of a tenant at the most that has no limits of its own. */
export function storedDefaults({ TENANT_ITEMS, TENANT_BYTES, TENANT_FILES }: TenantConfiguration): {
  readonly items: number;
  readonly bytes: number;
  readonly files: number;
} {
  return { items: TENANT_ITEMS, bytes: TENANT_BYTES, files: TENANT_FILES };
}
