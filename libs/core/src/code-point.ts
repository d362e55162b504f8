const highSurrogate = 0xd800;
const afterSurrogates = 0xe000;

/**
 * Compares two strings by the code points of their characters (2.1.4). Returns a negative number if `a`
 * sorts before `b`, 0 if they are equal, a positive number if `a` sorts after `b`. A surrogate without
 * its partner counts as its own value.
 */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA === unitB) continue;
    if (unitA < highSurrogate || unitB < highSurrogate) return unitA - unitB;
    return codePointAround(a, index) - codePointAround(b, index);
  }
  return a.length - b.length;
}

/** The code point that the unit at `index` belongs to: a low surrogate belongs to the high one before it. */
function codePointAround(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  const isLow = unit >= 0xdc00 && unit < afterSurrogates;
  if (!isLow || index === 0) return text.codePointAt(index) ?? unit;
  const before = text.codePointAt(index - 1) ?? unit;
  return before > 0xffff ? before : unit;
}
