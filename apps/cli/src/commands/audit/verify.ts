import { createReadStream } from 'node:fs';
import { LogVerifier } from '#core';
import type { AuditEntry, AuditFault } from '#core';
import { causeOf } from '../../cause.ts';
import { CommandError, exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { auditStream } from '../../service/audit-stream.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { printResult } from '../../terminal/print-result.ts';
import { count, printable } from '../../terminal/text.ts';

interface VerifyArguments extends ServiceOptions {
  /** An exported file, `-` for stdin; the log of the service if absent. */
  readonly file?: string;
  readonly output: 'text' | 'json';
}

/**
 * Examines an audit log, and prints where its chains end or what does not hold. Throws as `Service` does, and
 * CommandError (2) if the file can't be read.
 */
export async function verifyAudit({ file, output, ...options }: VerifyArguments, io: Io): Promise<ExitCode> {
  const read = (): AsyncIterable<Uint8Array> => {
    if (file === undefined) return auditStream(new Service(options, io), {});
    return file === '-' ? io.stdin : createReadStream(file);
  };
  const verify = async (): Promise<[LogVerifier, AuditFault | undefined]> => {
    const verifier = new LogVerifier();
    return [verifier, await faultIn(verifier, linesOf(read(), file))];
  };
  let [verifier, fault] = await verify();
  // Gateways write meanwhile: an entry may be stored just after one that is later was read.
  if (fault !== undefined && file === undefined) [verifier, fault] = await verify();
  const { heads, size } = verifier;
  if (fault !== undefined) {
    await printResult({ holds: false, fault }, `${faultText(fault)}\n`, output, io);
    return exitCode.violations;
  }
  const ends = heads.map(
    ({ chain, sequence, hash, at }) => `  ${printable(`${chain} ${sequence} ${hash} ${at}`)}\n`,
  );
  const entries = size.entries === 1 ? '1 entry' : `${size.entries.toLocaleString('en-US')} entries`;
  const whole = `The log holds: ${entries} in ${count(size.chains, 'chain')}.\n`;
  await printResult({ holds: true, ...size, heads }, whole + ends.join(''), output, io);
  return exitCode.done;
}

function faultText({ kind, id, message }: AuditFault): string {
  return printable(`The log does not hold (${kind}): at the entry ${id}, ${message}.`);
}

async function faultIn(verifier: LogVerifier, lines: AsyncIterable<string>): Promise<AuditFault | undefined> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const entry = entryIn(line);
    if (entry === undefined)
      return { kind: 'changed', id: `in line ${number}`, chain: '', message: 'it is no entry' };
    const fault = verifier.add(entry);
    if (fault !== undefined) return fault;
  }
  return verifier.end(new Date());
}

/** The entry in a line; undefined if it is none, or has no place in a chain. */
function entryIn(line: string): AuditEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<AuditEntry> | null;
    const texts = [entry?.id, entry?.chain, entry?.hash, entry?.at];
    const isEntry = texts.every((text) => typeof text === 'string') && Number.isInteger(entry?.sequence);
    return isEntry ? (entry as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** The lines of a log; the last one also if it has no end. Throws CommandError (2). */
async function* linesOf(pieces: AsyncIterable<Uint8Array>, file: string | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const piece of pieces) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`cannot read ${file}: ${causeOf(error)}`, exitCode.unreadable, { cause: error });
  }
  if (rest !== '') yield rest;
}
