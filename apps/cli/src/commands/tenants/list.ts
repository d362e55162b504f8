import type { TenantView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { printList } from '../../service/print-list.ts';
import type { Columns } from '../../service/print-list.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { tenantPath } from '../../service/tenant-text.ts';
import { timeText } from '../../terminal/time.ts';

/** Lists the tenants with how much of their limits they use. Throws as `Service` does. */
export async function listTenants(
  { output, ...options }: ServiceOptions & { readonly output: 'text' | 'json' },
  io: Io,
): Promise<ExitCode> {
  const columns: Columns<TenantView> = {
    NAME: ({ name }) => name,
    STATE: ({ suspended }) => (suspended ? 'suspended' : 'active'),
    COLLECTIONS: ({ usage, limits }) => `${usage.collections}/${limits.collections}`,
    SUBSCRIPTIONS: ({ usage, limits }) => `${usage.subscriptions}/${limits.subscriptions}`,
    ITEMS: ({ usage, limits }) => `${usage.items}/${limits.items}`,
    FILES: ({ usage, limits }) => `${usage.files}/${limits.files}`,
    BYTES: ({ usage, limits }) => `${usage.bytes}/${limits.bytes}`,
    CREATED: ({ createdAt }) => timeText(io, createdAt),
  };
  await printList(new Service(options, io).list<TenantView>(tenantPath()), columns, output, io);
  return exitCode.done;
}
