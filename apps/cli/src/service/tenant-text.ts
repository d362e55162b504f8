import { pathSegment } from '#contracts';
import type { TenantView } from '#contracts';
import type { Io } from '../io.ts';
import { formatTable } from '../terminal/table.ts';
import { timeText } from '../terminal/time.ts';

/** The path of a tenant, or of the list of all. */
export function tenantPath(name?: string): string {
  return name === undefined ? '/v1/tenants' : `/v1/tenants/${pathSegment(name)}`;
}

/** A tenant for people: its state, and each limit with what is used of it. */
export function tenantText({ name, suspended, createdAt, limits, usage }: TenantView, io: Io): string {
  const used: Readonly<Record<string, number | undefined>> = usage;
  const rows = [
    ['name', name, ''],
    ['state', suspended ? 'suspended' : 'active', ''],
    ['created', timeText(io, createdAt), ''],
    ...Object.entries(limits).map(([what, limit]) => [what, String(limit), String(used[what] ?? '')]),
  ];
  return formatTable(io, ['', 'LIMIT', 'USED'], rows);
}
