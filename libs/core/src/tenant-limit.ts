import type { ItemId } from '#contracts';
import type { StoredUsage, Tenant, TenantLimits, TenantUsage } from './tenant.ts';

/** Says for people where a limit of a tenant is set: at the tenant, or in which setting. */
export function limitSource({ limits }: Pick<Tenant, 'limits'>, what: keyof TenantLimits): string {
  const setting = `TENANT_${what.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
  return limits[what] === undefined ? `setting ${setting}` : 'its own limit';
}

/** A number of things for people. */
export function counted(number: number, plural: string): string {
  return `${number} ${number === 1 ? plural.replace(/(?<=ch)es$|s$/, '') : plural}`;
}

/** A limit of what a tenant may have. */
export interface TenantLimit {
  readonly tenant: string;
  readonly what: keyof TenantUsage;
  readonly value: number;
  /** Where it is set, for people. */
  readonly source: string;
  /** How much the tenant has. */
  readonly usage: number;
}

/** A tenant would have more than it may; nothing was written. */
export class TenantLimitError extends Error {
  override readonly name = 'TenantLimitError';
  /** The items that are too many or too large, if it is about several. */
  readonly ids: readonly ItemId[];

  constructor(
    readonly limit: TenantLimit,
    ids: readonly ItemId[] = [],
  ) {
    const { tenant, what, value, source, usage } = limit;
    super(`The tenant "${tenant}" may have ${counted(value, what)} (${source}) and has ${usage}.`);
    this.ids = ids;
  }
}

/** What is held against limits as it is written, in the order in which a refusal names it. */
export const storedKinds = ['items', 'bytes', 'files'] as const satisfies readonly (keyof StoredUsage)[];

/** What a tenant may have of items, bytes and files, and what it has, at one time. */
export interface StoredReading {
  readonly limits: StoredUsage;
  readonly usage: StoredUsage;
}

/** Which share of what is left one process may use up before it reads the usage again. */
const share = 1 / 100;

/** Whether growth is so small beside what was left at a reading that the reading need not be a new one. */
export function isSmallGrowth({ limits, usage }: StoredReading, growth: StoredUsage): boolean {
  return storedKinds.every(
    (kind) => growth[kind] <= 0 || growth[kind] <= (limits[kind] - usage[kind]) * share,
  );
}

/** Returns the first limit that growth would exceed; undefined if it exceeds none. */
export function exceededKind(
  { limits, usage }: StoredReading,
  growth: StoredUsage,
): keyof StoredUsage | undefined {
  return storedKinds.find((kind) => growth[kind] > 0 && usage[kind] + growth[kind] > limits[kind]);
}

/** Adds what grows; what shrinks is counted when it has been written. */
export function withGrowth(total: StoredUsage, growth: StoredUsage): StoredUsage {
  const { items, bytes, files } = growth;
  return {
    items: total.items + Math.max(0, items),
    bytes: total.bytes + Math.max(0, bytes),
    files: total.files + Math.max(0, files),
  };
}

export const nothingStored: StoredUsage = { items: 0, bytes: 0, files: 0 };
