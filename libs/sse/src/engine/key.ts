import type { Steps } from '#core';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = digits.length;

/**
 * How many digits one step at an open end has: so many keys that 7 million items can be appended before a key
 * gets longer.
 */
const stepLength = 4;
const lastStep = base ** stepLength - 1;

/** The key of the first item below a parent. */
export const firstKey = 'V';

/**
 * Whether a text is a key: digits, capital and small letters, read as a fraction between 0 and 1, so it does
 * not end in `0`; followed, as often as siblings had the same key, by the id of one of them in hexadecimal
 * and another fraction (`keysBetween`), with `-` between. A key that others wrote must be checked before it
 * is used.
 */
export function isKey(text: string): boolean {
  return /^[0-9A-Za-z]*[1-9A-Za-z](?:-(?:[0-9a-f]{2})+-[0-9A-Za-z]*[1-9A-Za-z])*$/.test(text);
}

function isFraction(text: string): boolean {
  return /^[0-9A-Za-z]*[1-9A-Za-z]$/.test(text);
}

/**
 * The fraction between two others; an absent one is the open end. The same two always give the same. Between
 * two it is the middle, at an open end a small step on, so that keys stay short if items are appended.
 * @throws RangeError if `before` is not less than `after`, or one of them is no fraction
 */
export function keyBetween(before?: string, after?: string): string {
  for (const key of [before, after])
    if (key !== undefined && !isFraction(key)) throw new RangeError(`"${key}" is no key of a position.`);
  if (before === undefined) return after === undefined ? firstKey : stepDown(after);
  if (after === undefined) return stepUp(before);
  if (before >= after)
    throw new RangeError(
      `There is no key between "${before}" and "${after}": the first is not less than the second.`,
    );
  return middle(before, after);
}

/**
 * Fractions in ascending order, all of them between two others. With both ends open they are as short as they
 * can be, evenly spread.
 * @param count how many, from 0
 * @throws RangeError as `keyBetween`
 */
export function* keysInOrder(count: number, before?: string, after?: string): Steps<string[]> {
  if (before === undefined && after === undefined) return yield* evenly(count);
  const keys: string[] = [];
  if (before !== undefined && after !== undefined) yield* halve(keys, count, before, after);
  for (let last = before ?? after; keys.length < count; keys.push(last)) {
    last = before === undefined ? keyBetween(undefined, last) : keyBetween(last, undefined);
    yield;
  }
  return before === undefined ? keys.reverse() : keys;
}

function* evenly(count: number): Steps<string[]> {
  let length = 1;
  while (base ** length <= count) length += 1;
  const keys: string[] = [];
  while (keys.length < count) {
    keys.push(written(Math.floor(((keys.length + 1) * base ** length) / (count + 1)), length));
    yield;
  }
  return keys;
}

function* halve(keys: string[], count: number, before: string, after: string): Steps<void> {
  if (count === 0) return;
  const half = (count - 1) >> 1;
  const key = keyBetween(before, after);
  yield* halve(keys, half, before, key);
  keys.push(key);
  yield;
  yield* halve(keys, count - 1 - half, key, after);
}

/** A short key in the middle: at the first place where a digit fits between the two. */
function middle(before: string, after: string): string {
  let place = 0;
  while (before[place] === after[place] || (place >= before.length && after[place] === '0')) place += 1;
  const low = digitAt(before, place);
  const high = digitAt(after, place);
  if (high - low > 1) return after.slice(0, place) + digits.charAt((low + high) >> 1);
  if (place + 1 < after.length) return after.slice(0, place + 1);
  const start = after.slice(0, place) + digits.charAt(low);
  let free = place + 1;
  while (digitAt(before, free) === base - 1) free += 1;
  return start + before.slice(place + 1, free) + digits.charAt((digitAt(before, free) + base) >> 1);
}

function stepUp(key: string): string {
  let place = 0;
  while (numberAt(key, place) === lastStep) place += stepLength;
  return key.slice(0, place) + written(numberAt(key, place) + 1, stepLength);
}

function stepDown(key: string): string {
  let place = 0;
  while (numberAt(key, place) === 0) place += stepLength;
  const number = numberAt(key, place);
  return (
    key.slice(0, place) +
    (number > 1 ? written(number - 1, stepLength) : digits.charAt(0).repeat(stepLength) + firstKey)
  );
}

/** The value of the digits of one step from `place` on; zeros stand after the end. */
function numberAt(key: string, place: number): number {
  let number = 0;
  for (let index = place; index < place + stepLength; index += 1)
    number = number * base + digitAt(key, index);
  return number;
}

function digitAt(key: string, place: number): number {
  return place < key.length ? digits.indexOf(key.charAt(place)) : 0;
}

/** A number, greater than 0, as the digits of a fraction, without the zeros at its end. */
function written(number: number, length: number): string {
  let text = '';
  for (let rest = number, place = 0; place < length; place += 1, rest = Math.floor(rest / base))
    text = digits.charAt(rest % base) + text;
  return text.replace(/(?<!0)0+$/, '');
}
