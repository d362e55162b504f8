import { InvalidArgumentError } from 'commander';

/** Reads a number above 0, with or without a fraction. Throws InvalidArgumentError, as all these do. */
export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!/^[0-9.]+$/.test(text) || !(number > 0)) throw new InvalidArgumentError('It is a number above 0.');
  return number;
}

export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}

export function positiveWhole(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number above 0.');
  return Number(text);
}

/** Reads `winner`, or the number of a conflict. */
export function versionToKeep(text: string): 'winner' | number {
  if (text === 'winner') return text;
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('It is "winner" or the number of a conflict, from 0.');
  return Number(text);
}

/** Reads the least and the most seconds between two fetches; the most is a day, or the least, where it is not given. */
export function interval(text: string): { minimum: number; maximum: number } {
  const match = /^([1-9][0-9]{0,8})(?:,([1-9][0-9]{0,8}))?$/.exec(text);
  const minimum = Number(match?.[1]);
  const maximum = match?.[2] === undefined ? Math.max(minimum, 86_400) : Number(match[2]);
  if (match === null || maximum < minimum) throw new InvalidArgumentError('It is one number of seconds, or two of which the second is not smaller: 60,86400.');
  return { minimum, maximum };
}
