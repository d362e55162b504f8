import type { MeView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';
import { printable } from '../../terminal/text.ts';
import { timeText } from '../../terminal/time.ts';

interface ShowArguments extends ServiceOptions {
  readonly output: 'text' | 'json';
}

/** Shows who the service takes you for, and what you may do. Throws as `Service` does. */
export async function showKey({ output, ...options }: ShowArguments, io: Io): Promise<ExitCode> {
  const me = await new Service(options, io).json<MeView>('/v1/me');
  await printResult(me, meText(io, me), output, io);
  return exitCode.done;
}

function meText(io: Io, { kind, id, name, subject, tenant, grants, expiresAt }: MeView): string {
  const lines = [
    id === kind ? kind : `${kind} ${id}, ${name}`,
    ...(subject === undefined ? [] : [`subject ${subject}`]),
    ...(tenant === undefined ? [] : [`tenant ${tenant}`]),
    ...grants.map(({ permissions, collections }) => `${permissions.join()}:${collections}`),
    expiresAt === undefined ? 'never expires' : `expires ${timeText(io, expiresAt)}`,
  ];
  return lines.map((line) => `${printable(line)}\n`).join('');
}
