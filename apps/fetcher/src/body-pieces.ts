/** A body of which some pieces were taken: these first, then the rest, each of them once. */
export function continued(
  taken: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const pieces = [...taken];
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    next: async () => {
      const piece = pieces.shift();
      return piece === undefined ? rest.next() : { done: false, value: piece };
    },
    return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
  };
  return body;
}

/** The first bytes of a body, at most so many; the rest is not read. */
export async function firstBytes(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece.subarray(0, limit - length));
    length += piece.length;
    if (length >= limit) break;
  }
  return Buffer.concat(pieces);
}
