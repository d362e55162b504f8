import { pathSegment } from '#contracts';
import type { IssuedKeyView } from '#contracts';
import { exitCode } from '../../command-error.ts';
import type { ExitCode } from '../../command-error.ts';
import type { Io } from '../../io.ts';
import { Service } from '../../service/service.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { keyText } from '../../service/key-text.ts';
import { printResult } from '../../terminal/print-result.ts';

interface RotateArguments extends ServiceOptions {
  readonly id: string;
  /** Seconds in which the former secret is accepted. */
  readonly overlap: number;
  readonly output: 'text' | 'json';
}

/** Gives a key another secret, and prints it. Throws as `Service` does. */
export async function rotateKey(
  { id, overlap: overlapSeconds, output, ...options }: RotateArguments,
  io: Io,
): Promise<ExitCode> {
  const path = `/v1/keys/${pathSegment(id)}/rotate`;
  const request = { method: 'POST', body: { overlapSeconds } };
  const issued = await new Service(options, io).json<IssuedKeyView>(path, request);
  await printResult(issued, keyText(issued), output, io);
  return exitCode.done;
}
