import type { Io } from '../io.ts';

/**
 * The numbers that turn a style on and off (ECMA-48, SGR). `styleText` of Node would ask the process's own
 * streams.
 */
const styles = { red: [31, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22] } as const;

/**
 * Text from others made safe for a terminal: control characters, with which it could be steered, become
 * spaces.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim();
}

/** Text of several lines, its later lines under its first. */
export function indented(text: string): string {
  return text.trim().split('\n').map(printable).join('\n    ');
}

/** Styles a text if the stream is a terminal and NO_COLOR is not set. */
export function paint(io: Io, stream: 'stdout' | 'stderr', style: keyof typeof styles, text: string): string {
  const plain = io[stream].isTTY !== true || (io.environment['NO_COLOR'] ?? '') !== '';
  const [on, off] = styles[style];
  return plain ? text : `\u001b[${on}m${text}\u001b[${off}m`;
}

/** A number with its noun: `1 item`, `5,000 items`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes for people: `512 B`, `3.4 MB`. */
export function size(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${unit === 0 ? String(bytes) : (bytes / 1000 ** unit).toFixed(1)} ${units[unit] ?? ''}`;
}
