/** The greatest value of `updates` (2.4) and `sequence` (2.5). */
export const maximumCount = 2 ** 31 - 1;

/**
 * Reads a value of `updates` (2.4) or `sequence` (2.5): decimal digits for 1 to 2^31-1 and nothing else;
 * undefined for any other text.
 */
export function parseCount(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) return undefined;
  const count = Number(text);
  return count <= maximumCount ? count : undefined;
}
