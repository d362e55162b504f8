import type { AccessKeyView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { printList } from '../../service/print-list.ts';
import type { Columns } from '../../service/print-list.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { timeText } from '../../terminal/time.ts';

/** Lists the keys. Throws as `Service` does. */
export async function listKeys(
  { output, ...options }: ServiceOptions & { readonly output: 'text' | 'json' },
  io: Io,
): Promise<ExitCode> {
  const when = (time: string | undefined): string => (time === undefined ? '' : timeText(io, time));
  const columns: Columns<AccessKeyView> = {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    GRANTS: ({ grants }) =>
      grants.map(({ permissions, collections }) => `${permissions.join(',')}:${collections}`).join(' '),
    CREATED: ({ createdAt }) => when(createdAt),
    EXPIRES: ({ expiresAt }) => when(expiresAt),
    'LAST USED': ({ lastUsedAt }) => when(lastUsedAt),
  };
  await printList(new Service(options, io).list<AccessKeyView>('/v1/keys'), columns, output, io);
  return exitCode.done;
}
