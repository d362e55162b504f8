import type { LoggerService } from '@nestjs/common';
import { destination as fileStream, pino, stdTimeFunctions } from 'pino';
import { textStream } from './log-text.ts';
import { traceFields } from './telemetry/tracing.ts';
import type { DestinationStream, Level, LevelWithSilent, Logger as PinoLogger } from 'pino';

/** Where Nest tells of every module and route it sets up; of interest only when something is looked for. */
const setUpContexts: ReadonlySet<unknown> = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'NestMicroservice',
]);

/** How records are written. */
export type LogFormat = 'text' | 'json';

/** The format that the setting names; without it, text on a terminal and JSON elsewhere. */
export function logFormat(
  { LOG_FORMAT }: { readonly LOG_FORMAT?: LogFormat | undefined },
  output: { readonly isTTY?: boolean } = process.stdout,
): LogFormat {
  return LOG_FORMAT ?? (output.isTTY ? 'text' : 'json');
}

/**
 * Writes one JSON line a record: `level`, `time` (RFC 3339), `service`, `message`, `context`, and the fields
 * of any object that is given along, or the same as text. An error goes under `err` with its stack. Within a
 * trace `trace_id` and `span_id` say which.
 */
export class ServiceLogger implements LoggerService {
  readonly #pino: PinoLogger;

  /** Writes to standard output if no destination is given. */
  constructor(
    service: string,
    level: LevelWithSilent,
    format: LogFormat = 'json',
    destination: DestinationStream = fileStream(1),
  ) {
    const options = {
      level,
      base: { service },
      messageKey: 'message',
      mixin: traceFields,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label: string) => ({ level: label }) },
    };
    this.#pino = pino(options, format === 'text' ? textStream(destination) : destination);
  }

  log(message: unknown, ...more: unknown[]): void {
    this.#write(setUpContexts.has(more.at(-1)) ? 'debug' : 'info', message, more);
  }

  fatal(message: unknown, ...more: unknown[]): void {
    this.#write('fatal', message, more);
  }

  error(message: unknown, ...more: unknown[]): void {
    this.#write('error', message, more);
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.#write('warn', message, more);
  }

  debug(message: unknown, ...more: unknown[]): void {
    this.#write('debug', message, more);
  }

  verbose(message: unknown, ...more: unknown[]): void {
    this.#write('trace', message, more);
  }

  #write(level: Level, message: unknown, more: readonly unknown[]): void {
    const fields: Record<string, unknown> = {};
    for (const part of more) Object.assign(fields, fieldsOf(part));
    if (typeof message === 'string') this.#pino[level](fields, message);
    else this.#pino[level]({ ...fields, ...fieldsOf(message) });
  }
}

function fieldsOf(part: unknown): object {
  if (part instanceof Error) return { err: part };
  if (typeof part === 'object' && part !== null) return part;
  if (typeof part !== 'string') return part === undefined ? {} : { value: part };
  return /\n[^\S\n]+at /.test(part) ? { stack: part } : { context: part };
}
