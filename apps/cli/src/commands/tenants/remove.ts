import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { tenantPath } from '../../service/tenant-text.ts';
import { printResult } from '../../terminal/print-result.ts';

/** Removes a tenant that has no collections. Throws as `Service` does. */
export async function removeTenant(
  { name, output, ...options }: ServiceOptions & { readonly name: string; readonly output: 'text' | 'json' },
  io: Io,
): Promise<ExitCode> {
  await new Service(options, io).send(tenantPath(name), { method: 'DELETE' });
  await printResult({ removed: name }, `${name} removed\n`, output, io);
  return exitCode.done;
}
