import { z } from 'zod';
import { networks, optionalText, wholeNumber } from './setting-kinds.ts';
import { readConfiguration } from './configuration.ts';

/** How the gateway tells who sends a request. */
export const accessSettings = {
  AUTH: z
    .enum(['required', 'none'], 'must be required or none')
    .optional()
    .describe(
      'Whether requests need a key: `required`, or `none`, with which whoever reaches the port may do ' +
        "everything. If it is not set, `none` if HOST is this machine's own (127.0.0.1), else `required`",
    ),
  AUTH_COMMANDS: z
    .enum(['trusted', 'key'], 'must be trusted or key')
    .default('trusted')
    .describe(
      'Whether commands may come without a key: `trusted`, because whoever can write to Redis may do ' +
        'everything, or `key`. One that has a key is held against it in any case',
    ),
  AUTH_METRICS: z
    .enum(['trusted', 'key'], 'must be trusted or key')
    .default('key')
    .describe(
      'Whether `/metrics` of the gateway needs a key that administers everything (`key`) or none ' +
        '(`trusted`), where requests need one',
    ),
  AUTH_SECRETS: secrets()
    .optional()
    .describe(
      'The secrets (comma-separated, each 32 bytes in base64) under which digests of the keys are kept: ' +
        'the first one for new keys, all for those that were issued. Without it no key can be issued',
    ),
  AUTH_ADMIN_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,512}$/, 'must be 32 to 512 visible ASCII characters')
    .optional()
    .describe('A key that permits everything, with which the first other ones are issued'),
  AUTH_PROXIES: networks()
    .optional()
    .describe(
      'Networks (CIDR, comma-separated) of proxies that have checked the client certificate of a request ' +
        'and name its subject in AUTH_PROXY_HEADER; from anyone else that header is refused',
    ),
  AUTH_PROXY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,100}$/, 'must be the name of a header field')
    .transform((name) => name.toLowerCase())
    .default('ssl-client-subject-dn')
    .describe('The header field in which they name it'),
  AUTH_JWT_JWKS: z
    .string()
    .regex(/^https?:\/\/[^\s#]+$/, 'must be an http or https URL')
    .optional()
    .describe(
      'The address of the public keys (JWKS) of an issuer whose tokens are accepted as keys are; with it ' +
        'AUTH_JWT_ISSUER and AUTH_JWT_AUDIENCE must be set',
    ),
  AUTH_JWT_ISSUER: optionalText('The issuer that its tokens name (`iss`)'),
  AUTH_JWT_AUDIENCE: optionalText('The audience that its tokens are for (`aud`)'),
  AUTH_JWT_CLAIM: z
    .string()
    .default('feedmesh')
    .describe(
      'The claim of a token that says what it permits: a list of `permissions:collections`, such as ' +
        '`read,write:orders-*`, or one text with spaces between',
    ),
  AUTH_JWT_SKEW_SECONDS: wholeNumber(0, 600)
    .default(30)
    .describe("Seconds that the issuer's clock may be wrong"),
};

/**
 * The secrets in an environment, the first one for new keys. Throws `ConfigurationError` if there are none,
 * or they are wrong.
 */
export function accessSecretsOf(
  environment: Readonly<Record<string, string | undefined>>,
): [Uint8Array, ...Uint8Array[]] {
  const schema = z.object({ AUTH_SECRETS: secrets() });
  return readConfiguration(schema, environment).AUTH_SECRETS as [Uint8Array, ...Uint8Array[]];
}

type AccessConfiguration = z.output<z.ZodObject<typeof accessSettings>> & { readonly HOST: string };

/** Whether requests need a key. */
export function isAccessLimited({ AUTH, HOST }: Pick<AccessConfiguration, 'AUTH' | 'HOST'>): boolean {
  return (AUTH ?? (isLoopback(HOST) ? 'none' : 'required')) === 'required';
}

/** Whether only this machine can connect to a server that listens on this address. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || address.startsWith('127.');
}

/** What is wrong if requests need a key and there can be none; undefined if nothing is. */
export function missingAccess(configuration: AccessConfiguration): string | undefined {
  const { AUTH, AUTH_SECRETS, AUTH_ADMIN_KEY, HOST } = configuration;
  const hasSome = [
    AUTH_SECRETS,
    AUTH_ADMIN_KEY,
    configuration.AUTH_JWT_JWKS,
    configuration.AUTH_PROXIES,
  ].some((one) => one !== undefined);
  if (!isAccessLimited(configuration) || hasSome) return undefined;
  const reason = AUTH === 'required' ? 'AUTH is required' : `others can connect to HOST (${HOST})`;
  return (
    `must be set, because ${reason}: secrets, under which keys are kept, or AUTH_ADMIN_KEY, or ` +
    'AUTH_JWT_JWKS; with AUTH=none whoever reaches the port may do everything'
  );
}

function secrets(): z.ZodType<Uint8Array[], string> {
  const message =
    'must be a comma-separated list of secrets, each 32 bytes in base64 (openssl rand -base64 32)';
  return z
    .string()
    .regex(/^ *[A-Za-z0-9+/_-]{43}=?( *, *[A-Za-z0-9+/_-]{43}=?)* *$/, message)
    .transform((text) => text.split(',').map((secret) => Buffer.from(secret.trim(), 'base64')));
}
