import { pathSegment } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';

/** Revokes a key. Throws as `Service` does. */
export async function revokeKey(
  { id, output, ...options }: ServiceOptions & { readonly id: string; readonly output: 'text' | 'json' },
  io: Io,
): Promise<ExitCode> {
  await new Service(options, io).send(`/v1/keys/${pathSegment(id)}`, { method: 'DELETE' });
  await printResult({ revoked: id }, `${id} revoked\n`, output, io);
  return exitCode.done;
}
