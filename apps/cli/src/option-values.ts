import { InvalidArgumentError } from 'commander';

/** Reads a number above 0, with or without a fraction. Throws InvalidArgumentError, as all these do. */
export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!/^[0-9.]+$/.test(text) || !(number > 0))
    throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

export function positiveWhole(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

/** Reads `winner`, or the number of a conflict. */
export function versionToKeep(text: string): 'winner' | number {
  if (text === 'winner') return text;
  if (!/^[0-9]{1,9}$/.test(text))
    throw new InvalidArgumentError('It must be "winner" or the number of a conflict, from 0.');
  return Number(text);
}

/** Reads whether items without synchronisation data are adopted: `yes`, `no` or `auto`. */
export function adoption(text: string): boolean | 'auto' {
  if (text === 'auto') return text;
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('It must be "yes", "no" or "auto".');
  return text === 'yes';
}

/**
 * Reads the least and the most seconds between two fetches; the most is a day, or the least, if it is not
 * given.
 */
export function interval(text: string): { minimum: number; maximum: number } {
  const match = /^([1-9][0-9]{0,8})(?:,([1-9][0-9]{0,8}))?$/.exec(text);
  const minimum = Number(match?.[1]);
  const maximum = match?.[2] === undefined ? Math.max(minimum, 86_400) : Number(match[2]);
  if (match === null || maximum < minimum)
    throw new InvalidArgumentError(
      'It must be one number of seconds, or two of which the second is not smaller: 60,86400.',
    );
  return { minimum, maximum };
}

/** Reads the revision of an item: a number, or the ETag with it. */
export function revision(text: string): number {
  const digits = /^"?([1-9][0-9]{0,14})"?$/.exec(text)?.[1];
  if (digits === undefined) throw new InvalidArgumentError('It must be the revision of an item, such as 7.');
  return Number(digits);
}

/** Reads `name=value`, one of several; a value that is JSON stands for what it says, any other for itself. */
export function setting(
  text: string,
  others: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const [name, value] = namedValue(text);
  return { ...others, [name]: jsonOrText(value) };
}

/** Reads `name=value`, one of several, with a value that is a text. */
export function attribute(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [name, value] = namedValue(text);
  return { ...others, [name]: value };
}

/** Collects the values of an option that may be given again. */
export function oneOfSeveral(text: string, others: readonly string[] = []): string[] {
  return [...others, text];
}

/** Reads a date or a time, and returns it as RFC 3339 in UTC. Throws InvalidArgumentError. */
export function timeInUtc(text: string): string {
  const date = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/.test(text) ? new Date(text) : undefined;
  if (date === undefined || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError('It must be a date or a time in UTC: 2027-01-01, 2027-01-01T10:00Z.');
  return date.toISOString();
}

function namedValue(text: string): [name: string, value: string] {
  // A name in a namespace, `{urn:a=b}name`, may itself have a `=`.
  const match = /^((?:\{[^}]*\})?[^=]+)=(.*)$/s.exec(text);
  if (match?.[1] === undefined || match[2] === undefined)
    throw new InvalidArgumentError('It must be a name and a value: name=value.');
  return [match[1], match[2]];
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
