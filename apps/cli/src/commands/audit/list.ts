import type { AuditEntryView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { actorText } from '../../service/actor-text.ts';
import { auditPath } from '../../service/audit-selection.ts';
import type { AuditSelection } from '../../service/audit-selection.ts';
import { printList } from '../../service/print-list.ts';
import type { Columns } from '../../service/print-list.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { timeText } from '../../terminal/time.ts';

/** Lists entries of the audit log. Throws as `Service` does. */
export async function listAudit(
  {
    output,
    url,
    timeout,
    ...selection
  }: ServiceOptions & AuditSelection & { readonly output: 'text' | 'json' },
  io: Io,
): Promise<ExitCode> {
  const columns: Columns<AuditEntryView> = {
    AT: ({ at }) => timeText(io, at),
    WHO: ({ actor }) => (actor === undefined ? '' : actorText(actor)),
    FROM: ({ address, via = '' }) => address ?? via,
    OPERATION: ({ operation = '' }) => operation,
    WHAT: ({ collection, subject }) =>
      [collection, subject && `${subject.kind} ${subject.id}`].filter((part) => part !== undefined).join('/'),
    REVISION: ({ revision, items }) =>
      revision === undefined ? '' : `${revision.before ?? 0}→${revision.after}${items ? ` of ${items}` : ''}`,
    OUTCOME: ({ outcome, status, problem, count }) =>
      [outcome, status, problem, count !== undefined && `×${count}`].filter(Boolean).join(' '),
    REQUEST: ({ request = '' }) => request,
  };
  const service = new Service({ timeout, ...(url !== undefined && { url }) }, io);
  await printList(service.list<AuditEntryView>(auditPath(selection)), columns, output, io);
  return exitCode.done;
}
