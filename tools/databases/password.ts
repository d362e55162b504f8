import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The password of the private servers of a data folder. */
export interface Password {
  readonly text: string;
  /** The file that has it; also the key file of MongoDB. */
  readonly file: string;
}

/**
 * Reads the password of a data folder, or makes one, in a file that only its owner can read. Throws what the
 * file system throws.
 */
export function providePassword(folder: string): Password {
  const file = join(folder, 'database-password');
  const known = readPassword(file);
  if (known !== '') return { text: known, file };
  const text = randomBytes(32).toString('hex');
  writeFileSync(`${file}.new`, `${text}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return { text, file };
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
