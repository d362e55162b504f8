/** The first and the last byte, from 0, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The part of a representation that `Range` asks for (RFC 9110, 14.2).
 * @param length of the representation, in bytes
 * @returns the range; `unsatisfiable` for one that begins after the end; undefined for the whole: if
 *   nothing is requested, more than one range is, or what is requested is in another unit or malformed
 */
export function byteRange(
  header: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*([0-9]{0,15})-([0-9]{0,15})[ \t]*$/i.exec(header ?? '');
  if (match === null) return undefined;
  const [from, to] = [match[1] ?? '', match[2] ?? ''];
  if (from === '') return to === '' ? undefined : lastBytes(Number(to), length);
  const [first, last] = [Number(from), to === '' ? length - 1 : Math.min(Number(to), length - 1)];
  if (to !== '' && Number(to) < first) return undefined;
  return first < length ? { first, last } : 'unsatisfiable';
}

function lastBytes(count: number, length: number): ByteRange | 'unsatisfiable' {
  return count === 0 || length === 0
    ? 'unsatisfiable'
    : { first: Math.max(0, length - count), last: length - 1 };
}
