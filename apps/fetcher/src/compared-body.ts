import { createHash } from 'node:crypto';
import { continued } from './body-pieces.ts';

/**
 * Reads a body as far as it may be held, to tell whether it is the one that was read last.
 * @param digest SHA-256 of that one, base64url
 * @param limit how many bytes are held; a longer body is not compared
 * @param heartbeat called from time to time
 * @returns undefined if it is the same; else the whole body, to be read once
 */
export async function changedBody(
  body: AsyncIterable<Uint8Array>,
  digest: string | undefined,
  limit: number,
  heartbeat: () => Promise<void>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (digest === undefined) return body;
  const pieces = body[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  const hash = createHash('sha256');
  for (let length = 0; length <= limit;) {
    const { done, value } = await pieces.next();
    if (done === true) return hash.digest('base64url') === digest ? undefined : continued(held, pieces);
    hash.update(value);
    held.push(value);
    length += value.length;
    await heartbeat();
  }
  return continued(held, pieces);
}
