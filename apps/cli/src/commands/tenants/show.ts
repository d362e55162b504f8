import type { TenantView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { tenantPath, tenantText } from '../../service/tenant-text.ts';
import { printResult } from '../../terminal/print-result.ts';

/** Shows a tenant. Throws as `Service` does. */
export async function showTenant(
  { name, output, ...options }: ServiceOptions & { readonly name: string; readonly output: 'text' | 'json' },
  io: Io,
): Promise<ExitCode> {
  const tenant = await new Service(options, io).json<TenantView>(tenantPath(name));
  await printResult(tenant, tenantText(tenant, io), output, io);
  return exitCode.done;
}
