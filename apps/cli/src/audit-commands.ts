import type { Command } from 'commander';
import { addGroup } from './command.ts';
import type { Surroundings } from './command.ts';
import type { AuditSelection } from './service/audit-selection.ts';
import { timeInUtc } from './option-values.ts';
import { serviceCommand } from './service-command.ts';
import type { ServiceCommandOptions } from './service-command.ts';

const verifyHelp = `
Reads the whole log, or a file that \`feedmesh audit export\` has written without
a selection, and says the first place that does not hold: an entry that was
changed, inserted, moved or removed. Only the oldest entries may be missing. It
prints where each chain ends: keep that elsewhere, and compare it later.
`;

/** Adds the commands for the audit log. */
export function addAuditCommands(program: Command, { io, finish }: Surroundings): void {
  const audit = addGroup(program, 'audit', 'list, export or verify who has changed what', 'operation');

  withSelection(
    serviceCommand(audit, 'list', 'list the entries of the audit log', 'operation', {
      details: 'A refusal that stands for several has their number after its status.',
      examples: [
        'feedmesh audit list --since 2026-01-01 --collection todo',
        'feedmesh audit list --actor 3f7a0c6b9d1e2f48 --outcome refused -o json',
      ],
    }),
  ).action(async (options: ServiceCommandOptions & AuditSelection) => {
    const { listAudit } = await import('./commands/audit/list.ts');
    finish(await listAudit(options, io));
  });

  withSelection(
    serviceCommand(audit, 'export', 'write the audit log to a file, one entry a line', 'operation', {
      details: 'The lines are JSON. - writes to stdout.',
      examples: ['feedmesh audit export audit.jsonl', 'feedmesh audit export - --since 2026-01-01 | gzip'],
      exitCodes: { 2: 'the file can not be written' },
    }).argument('<file>', 'the file, or -'),
  ).action(async (file: string, options: ServiceCommandOptions & AuditSelection) => {
    const { exportAudit } = await import('./commands/audit/export.ts');
    finish(await exportAudit({ file, ...options }, io));
  });

  serviceCommand(audit, 'verify', 'find out whether the audit log is as it was written', 'operation', {
    details: verifyHelp,
    examples: ['feedmesh audit verify', 'feedmesh audit verify audit.jsonl'],
    exitCodes: { 1: 'the log was tampered with', 2: 'the file can not be read' },
  })
    .argument('[file]', 'an exported file, or -; the log of the service by default')
    .action(async (file: string | undefined, options: ServiceCommandOptions) => {
      const { verifyAudit } = await import('./commands/audit/verify.ts');
      finish(await verifyAudit({ ...(file !== undefined && { file }), ...options }, io));
    });
}

function withSelection(command: Command): Command {
  return command
    .option('--since <time>', 'only those at this time or later', timeInUtc)
    .option('--until <time>', 'only those before this time', timeInUtc)
    .option('--collection <collection>', 'only those about it; acme.* for a tenant')
    .option('--actor <id>', 'only those of this key')
    .option('--operation <name>', 'only those of it, such as updateItem')
    .option('--outcome <outcome>', 'begun, done, refused, failed or link')
    .option('--request <id>', 'only those of this X-Request-Id');
}
