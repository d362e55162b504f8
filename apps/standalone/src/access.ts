import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the gateway of this machine knows its callers by. */
export interface Access {
  readonly AUTH_SECRETS: string;
  readonly AUTH_ADMIN_KEY: string;
}

/**
 * Reads the secret and the key of this machine, or makes them, in a file of the data folder that only its
 * owner can read. Returns undefined if the environment has some of its own. Throws what the file system
 * throws.
 */
export function provideAccess(environment: NodeJS.ProcessEnv, dataFolder: string): Access | undefined {
  if (environment['AUTH_SECRETS'] || environment['AUTH_ADMIN_KEY']) return undefined;
  const file = join(dataFolder, 'access.json');
  const known = readAccess(file);
  if (known !== undefined) return known;
  const access = {
    AUTH_SECRETS: randomBytes(32).toString('base64'),
    AUTH_ADMIN_KEY: randomBytes(32).toString('base64url'),
  };
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(access, undefined, 2)}\n`, { mode: 0o600 });
  return access;
}

function readAccess(file: string): Access | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Access;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
