import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { asFailure } from '../cause.ts';

/** How many bytes are read at once. */
const pieceLength = 1_048_576;

/**
 * Returns the SHA-256 of a regular file in hexadecimal; `other` for anything else, such as a symbolic link,
 * a folder or a FIFO; undefined if nothing is there. Throws what the file system throws.
 */
export function fileDigest(path: string): string | undefined {
  let file: number;
  try {
    // O_NONBLOCK: a FIFO would wait for a writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code = '' } = asFailure(error);
    if (code === 'ENOENT') return undefined;
    // ELOOP: a symbolic link; ENXIO: a socket; EISDIR: a folder on Windows.
    if (['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'].includes(code)) return 'other';
    throw error;
  }
  try {
    if (!fstatSync(file).isFile()) return 'other';
    const hash = createHash('sha256');
    const piece = Buffer.alloc(pieceLength);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hash.update(piece.subarray(0, read));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}
