/** How many keys or operations one command takes at most. */
export const chunkLength = 1000;

/**
 * How many characters the keys of one command have together at most: twice as many bytes as that may take
 * stay far below 16 MiB.
 */
const chunkCharacters = 1_000_000;

/**
 * The values in their order, in chunks that one command takes whatever the values are: at most `chunkLength`,
 * and few where they are long.
 */
export function* chunksOf<Value>(
  values: readonly Value[],
  lengthOf = (value: Value) => (typeof value === 'string' ? value.length : 0),
): Generator<readonly Value[]> {
  let start = 0;
  let characters = 0;
  for (const [place, value] of values.entries()) {
    characters += lengthOf(value);
    if (place === start || (place - start < chunkLength && characters <= chunkCharacters)) continue;
    yield values.slice(start, place);
    start = place;
    characters = lengthOf(value);
  }
  if (start < values.length) yield values.slice(start);
}
