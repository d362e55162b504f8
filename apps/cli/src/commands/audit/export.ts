import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { causeOf } from '../../cause.ts';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import type { AuditSelection } from '../../service/audit-selection.ts';
import { auditStream } from '../../service/audit-stream.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { Output } from '../../terminal/output.ts';

interface ExportArguments extends ServiceOptions, AuditSelection {
  /** `-` for stdout. */
  readonly file: string;
  readonly output: 'text' | 'json';
}

/**
 * Writes entries of the audit log as JSON, one a line. Throws as `Service` does, and CommandError (2) if the
 * file can't be written.
 */
export async function exportAudit(
  { file, output: _output, url, timeout, ...selection }: ExportArguments,
  io: Io,
): Promise<ExitCode> {
  const service = new Service({ timeout, ...(url !== undefined && { url }) }, io);
  const pieces = auditStream(service, selection);
  if (file === '-') {
    const output = new Output(io.stdout);
    const decoder = new TextDecoder();
    for await (const piece of pieces) await output.write(decoder.decode(piece, { stream: true }));
    await output.flush();
    return exitCode.done;
  }
  try {
    await pipeline(pieces, createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot write ${file}: ${causeOf(error)}`, exitCode.unreadable, { cause: error });
  }
  return exitCode.done;
}
