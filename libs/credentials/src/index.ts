export {
  accessKeyIdOf,
  digestAccessKey,
  isSameSecret,
  makeAccessKey,
  parseAccessKey,
} from './access-key-text.ts';
export type { AccessKeyText } from './access-key-text.ts';
export { CredentialKeysError, credentialKeysVariable, parseCredentialKeys } from './credential-keys.ts';
export type { CredentialKey, CredentialKeys } from './credential-keys.ts';
export { headerFieldsOf } from './header-fields.ts';
export { isSealedKey, openKey, sealKey } from './seal-key.ts';
export { CredentialsError, openCredentials, resealCredentials, sealCredentials } from './seal-credentials.ts';
