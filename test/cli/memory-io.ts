import { EventEmitter, once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../../apps/cli/src/io.ts';

/** A process's surroundings in memory, whose output can be looked at while the command runs. */
export interface MemoryIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
  /** Ends when a pattern has appeared on stdout or stderr. */
  readonly appeared: (pattern: RegExp) => Promise<void>;
  readonly interrupt: () => void;
}

interface Surroundings {
  readonly stdin?: string;
  readonly environment?: Record<string, string>;
  readonly terminal?: boolean;
  readonly timeZone?: string;
}

export function memoryIo({
  stdin = '',
  environment = {},
  terminal = false,
  timeZone,
}: Surroundings = {}): MemoryIo {
  const written = { out: '', err: '' };
  const changes = new EventEmitter();
  const collect = (name: 'out' | 'err') =>
    Object.assign(
      new PassThrough({ encoding: 'utf8' }).on('data', (text: string) => {
        written[name] += text;
        changes.emit('written');
      }),
      { isTTY: terminal },
    );
  const interruption = new AbortController();
  return {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: collect('out'),
    stderr: collect('err'),
    environment,
    ...(timeZone !== undefined && { timeZone }),
    interruption: () => interruption.signal,
    out: () => written.out,
    err: () => written.err,
    async appeared(pattern) {
      while (!pattern.test(written.out + written.err)) await once(changes, 'written');
    },
    interrupt: () => interruption.abort(),
  };
}
