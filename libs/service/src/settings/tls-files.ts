import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigurationError } from './configuration.ts';

/** What `node:tls` takes of the files that settings name. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The names of the settings of a server's TLS, and the files that they name. */
type TlsSettings<Server extends string> = Readonly<
  Partial<Record<`${Server}_TLS_${'CA' | 'CERT' | 'KEY'}`, string | undefined>>
>;

/** What the address of a server says of TLS. */
interface TlsRequest {
  readonly isRequested: boolean;
  /** How it is requested, such as `REDIS_URL requests with rediss in place of redis`. */
  readonly how: string;
}

/**
 * Reads the files that `SERVER_TLS_CA`, `SERVER_TLS_CERT` and `SERVER_TLS_KEY` name. Throws
 * `ConfigurationError` with the name of the setting if one can't be read, is not in PEM, or lacks the other;
 * before that if any setting `SERVER_TLS_…` is given although the address does not request TLS.
 */
export function readTlsFiles<Server extends string>(
  server: Server,
  settings: TlsSettings<Server>,
  { isRequested, how }: TlsRequest,
): TlsFiles {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  const [needless] = given.map(([name]) => name).filter((name) => name.startsWith(`${server}_TLS_`));
  if (!isRequested && needless !== undefined) throw settingFault(needless, `is for TLS, which ${how}`);
  const [CA, CERT, KEY] = [`${server}_TLS_CA`, `${server}_TLS_CERT`, `${server}_TLS_KEY`] as const;
  const files: Readonly<Record<string, string | undefined>> = settings;
  if ((files[CERT] === undefined) !== (files[KEY] === undefined))
    throw settingFault(
      files[CERT] === undefined ? CERT : KEY,
      'must be set: certificate and key belong together',
    );
  const ca = readPem(CA, files[CA], 'ca');
  const cert = readPem(CERT, files[CERT], 'cert');
  return { ...ca, ...cert, ...readPem(KEY, files[KEY], 'key', cert) };
}

/** One file of TLS under its name in `node:tls`, once that takes it together with `others`. */
function readPem(
  setting: string,
  file: string | undefined,
  name: keyof TlsFiles,
  others: TlsFiles = {},
): TlsFiles {
  if (file === undefined) return {};
  try {
    const text = readFileSync(file, 'utf8');
    // OpenSSL would do without; a file may be empty for a moment while it is replaced.
    if (!text.includes('-----BEGIN ')) throw new Error('it has nothing that begins with -----BEGIN');
    const read = { [name]: text };
    createSecureContext({ ...others, ...read });
    return read;
  } catch (error) {
    throw settingFault(setting, `must be a readable file in PEM: ${(error as Error).message}`);
  }
}

/** The error of one setting, in the words in which the others are named. */
export function settingFault(setting: string, message: string): ConfigurationError {
  return new ConfigurationError(`1 setting is wrong:\n  ${setting} ${message}`);
}
