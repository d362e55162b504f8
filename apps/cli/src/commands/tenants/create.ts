import type { TenantView } from '#contracts';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { findAnswer } from '../../service/find-answer.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { tenantPath, tenantText } from '../../service/tenant-text.ts';
import { printResult } from '../../terminal/print-result.ts';

interface CreateArguments extends ServiceOptions {
  readonly name: string;
  /** Limits by name. */
  readonly limit?: Readonly<Record<string, unknown>>;
  readonly output: 'text' | 'json';
}

/** Creates a tenant and shows it. Throws as `Service` does; CommandError (3) if there is one of this name. */
export async function createTenant(
  { name, limit: limits, output, ...options }: CreateArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service(options, io);
  if ((await findAnswer(service, tenantPath(name))) !== undefined)
    throw new CommandError(
      `there is already a tenant ${name}; feedmesh tenants set changes it`,
      exitCode.refused,
    );
  const created = await service.json<TenantView>(tenantPath(name), { method: 'PUT', body: { limits } });
  await printResult(created, tenantText(created, io), output, io);
  return exitCode.done;
}
