import type { DestinationStream } from 'pino';

/** Sends the records of a log, a line of JSON each, to a stream as readable text. */
export function textStream(out: DestinationStream): DestinationStream {
  return { write: (record) => out.write(`${logText(record)}\n`) };
}

/**
 * Returns a record of the log, a line of JSON, as text: time (UTC), level, service and context, message, and
 * the other fields as `name=value`. A stack follows in indented lines. Control characters are escaped, since
 * a message can contain text of a remote feed.
 */
export function logText(record: string): string {
  const { level, time, service, context, message, err, stack, ...fields } = JSON.parse(record) as LogRecord;
  const place = context === undefined ? service : `${service}/${context}`;
  const begin = `${time.slice('yyyy-mm-ddT'.length)} ${level.toUpperCase().padEnd(5)} ${place}:`;
  const { stack: errorStack = stack, type: _type, message: _message, ...details } = err ?? {};
  const values = Object.entries({ ...fields, ...details }).map(([name, value]) => `${name}=${text(value)}`);
  const line = [begin, ...(message === undefined ? [] : [message]), ...values].map(escaped).join(' ');
  return [line, ...(errorStack?.split('\n').map((part) => `    ${escaped(part)}`) ?? [])].join('\n');
}

/** A record as `ServiceLogger` writes it. */
interface LogRecord {
  readonly level: string;
  readonly time: string;
  readonly service: string;
  readonly context?: string;
  readonly message?: string;
  readonly stack?: string;
  readonly err?: { readonly type: string; readonly message: string; readonly stack?: string };
}

/** A text without spaces and quotes is clear without quotes. */
function text(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

function escaped(part: string): string {
  return part.replaceAll(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return `\\x${code.padStart(2, '0')}`;
  });
}
