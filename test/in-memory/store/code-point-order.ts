/**
 * Compares two well-formed strings by code point, as MongoDB does; JavaScript's `<` compares UTF-16 units.
 */
export function byCodePoint(one: string, other: string): number {
  const shared = Math.min(one.length, other.length);
  for (let place = 0; place < shared; place += 1) {
    const difference = rank(one.charCodeAt(place)) - rank(other.charCodeAt(place));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** A surrogate stands for a code point above all that a single unit can say. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
