import type { TenantView } from '#contracts';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { patchHeaders, Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { tenantPath, tenantText } from '../../service/tenant-text.ts';
import { printResult } from '../../terminal/print-result.ts';

interface ChangeArguments extends ServiceOptions {
  readonly name: string;
  /** Limits by name. */
  readonly limit?: Readonly<Record<string, unknown>>;
  /** The names of limits to take away. */
  readonly unset?: readonly string[];
  readonly suspended?: boolean;
  readonly output: 'text' | 'json';
}

/**
 * Changes the limits of a tenant, or whether it is suspended, and shows it. Throws as `Service` does;
 * CommandError (64) without anything to change.
 */
export async function changeTenant(
  { name, limit = {}, unset = [], suspended, output, ...options }: ChangeArguments,
  io: Io,
): Promise<ExitCode> {
  const limits = { ...limit, ...Object.fromEntries(unset.map((what) => [what, null])) };
  if (suspended === undefined && Object.keys(limits).length === 0)
    throw new CommandError('name what to change: --limit or --unset', exitCode.usage);
  const changed = await new Service(options, io).json<TenantView>(tenantPath(name), {
    method: 'PATCH',
    headers: patchHeaders(),
    body: { limits, suspended },
  });
  await printResult(changed, tenantText(changed, io), output, io);
  return exitCode.done;
}
