import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/**
 * Writes a body to a new file as it arrives; returns its length in bytes and its SHA-256 in hexadecimal.
 * @param take shown every piece before it is written; what it throws ends the saving
 */
export async function saveBody(
  body: AsyncIterable<Uint8Array>,
  file: string,
  take: (piece: Uint8Array) => void,
): Promise<{ readonly length: number; readonly digest: string }> {
  const handle = await open(file, 'wx');
  try {
    const digest = createHash('sha256');
    let length = 0;
    for await (const piece of body) {
      take(piece);
      digest.update(piece);
      length += piece.length;
      await handle.writeFile(piece);
    }
    return { length, digest: digest.digest('hex') };
  } finally {
    await handle.close();
  }
}
