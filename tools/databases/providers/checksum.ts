import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { PassedOverError } from './provider.ts';

/** Throws `PassedOverError` unless a downloaded file has this SHA-256 (hexadecimal). */
export async function assertChecksum(file: string, title: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found !== sha256)
    throw new PassedOverError(`the SHA-256 of ${title} is ${found}, not ${sha256}: not used`);
}
