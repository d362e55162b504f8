/** How many keys or operations one command takes at most, so that none grows past what MongoDB takes. */
export const chunkLength = 1000;

/** The values in their order, `chunkLength` at a time. */
export function* chunksOf<Value>(values: readonly Value[]): Generator<readonly Value[]> {
  for (let start = 0; start < values.length; start += chunkLength) yield values.slice(start, start + chunkLength);
}
