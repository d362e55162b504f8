import type { LauncherAddresses } from '#databases';
import type { Io } from '../io.ts';

type Name = 'REDIS_URL' | 'MONGODB_URI';

/** Where the databases are looked for; what is absent has the services' default. */
export interface DatabaseAddresses {
  readonly found: Readonly<Partial<Record<Name, string>>>;
  /**
   * The settings that a launcher was given: it records no address that may hold a password. Empty while it
   * starts, as it has recorded nothing then.
   */
  readonly withheld: readonly Name[];
}

/**
 * The addresses of the environment; for those that it does not set, the ones of a running launcher's private
 * databases.
 */
export function databaseAddresses(
  environment: Io['environment'],
  launcher: LauncherAddresses | undefined,
): DatabaseAddresses {
  const candidates = {
    REDIS_URL: environment['REDIS_URL'] || launcher?.redisUrl,
    MONGODB_URI: environment['MONGODB_URI'] || launcher?.mongodbUri,
  };
  const entries = Object.entries(candidates) as [Name, string | undefined][];
  const missing = entries.filter(([, address]) => address === undefined).map(([name]) => name);
  return {
    found: Object.fromEntries(entries.filter(([, address]) => address !== undefined)),
    withheld: launcher?.url === undefined ? [] : missing,
  };
}
