import { randomBytes } from 'node:crypto';

/** The key that may do everything. */
export const administrator = randomBytes(24).toString('base64url');

/** The settings of a gateway that refuses requests without a key. */
export const keysRequired = {
  AUTH: 'required',
  AUTH_SECRETS: randomBytes(32).toString('base64'),
  AUTH_ADMIN_KEY: administrator,
};
