export { CredentialKeysError, credentialKeysVariable, parseCredentialKeys } from './credential-keys.ts';
export type { CredentialKey, CredentialKeys } from './credential-keys.ts';
export { headerFieldsOf } from './header-fields.ts';
export { CredentialsError, openCredentials, resealCredentials, sealCredentials } from './seal-credentials.ts';
