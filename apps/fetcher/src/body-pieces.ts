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

/** How many bytes of a body are awaited before it takes a place: what a connection buffers in any case. */
const begunLength = 65_536;

/**
 * Waits for the beginning of a body; a short one has arrived by then. Returns the whole body.
 * @param heartbeat called from time to time meanwhile
 */
export async function begun(
  body: AsyncIterable<Uint8Array>,
  heartbeat: () => Promise<void>,
): Promise<AsyncIterable<Uint8Array>> {
  const rest = body[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  for (let length = 0; length < begunLength;) {
    const { done, value } = await rest.next();
    if (done === true) break;
    pieces.push(value);
    length += value.length;
    await heartbeat();
  }
  return continued(pieces, rest);
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
