import { z } from 'zod';
import { CredentialKeysError, parseCredentialKeys } from '#core';
import type { CredentialKeys } from '#core';
import { readConfiguration } from './configuration.ts';

/** The keys of the credentials of subscriptions: for the services that encrypt or decrypt them. */
export const credentialSettings = {
  CREDENTIALS_KEYS: keys()
    .optional()
    .describe(
      'The keys (`name:key`, comma-separated, each 32 bytes in base64) that encrypt the credentials of ' +
        'subscriptions: the first one encrypts, all decrypt. Without it no credentials can be given',
    ),
};

/** The keys in an environment. Throws `ConfigurationError` if there are none, or they are wrong. */
export function credentialKeysOf(environment: Readonly<Record<string, string | undefined>>): CredentialKeys {
  const { CREDENTIALS_KEYS } = readConfiguration(z.object({ CREDENTIALS_KEYS: keys() }), environment);
  return CREDENTIALS_KEYS;
}

function keys(): z.ZodType<CredentialKeys, string> {
  return z.string().transform((text, context) => {
    try {
      return parseCredentialKeys(text);
    } catch (error) {
      if (!(error instanceof CredentialKeysError)) throw error;
      context.addIssue(error.message);
      return z.NEVER;
    }
  });
}
