import type { Io } from '../io.ts';

/** A point in time of RFC 3339. */
const timestamp = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * A point in time (RFC 3339) for the reader of stdout: on a terminal in the local time zone with its offset,
 * `2026-11-21 12:27:19 +01:00`; elsewhere in UTC, `2026-11-21T11:27:19Z`. What is no point in time stays as
 * it is.
 */
export function timeText({ stdout, timeZone }: Pick<Io, 'stdout' | 'timeZone'>, text: string): string {
  const time = timestamp.test(text) ? new Date(text) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) return text;
  if (stdout.isTTY === true) return localTime(time, timeZone);
  return /[Zz]$/.test(text) ? text : time.toISOString().replace('.000Z', 'Z');
}

function localTime(time: Date, timeZone: string | undefined): string {
  const format = formats.get(timeZone) ?? createFormat(timeZone);
  formats.set(timeZone, format);
  const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const offset = part['timeZoneName']?.replace(/^GMT$/, '+00:00').replace(/^GMT/, '');
  return (
    `${part['year']}-${part['month']}-${part['day']} ${part['hour']}:${part['minute']}:` +
    `${part['second']} ${offset}`
  );
}

function createFormat(timeZone: string | undefined): Intl.DateTimeFormat {
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const time = {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  } as const;
  return new Intl.DateTimeFormat('en', { ...date, ...time, ...(timeZone !== undefined && { timeZone }) });
}
