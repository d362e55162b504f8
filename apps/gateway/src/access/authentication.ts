import { createHash } from 'node:crypto';
import { allGrants, isSameSecret } from '#core';
import type { IssuerTokens } from './issuer-tokens.ts';
import type { IssuedKeys } from './issued-keys.ts';
import { invalidCredentials } from './refusals.ts';
import { mayBeAddressed } from './secret-address.ts';
import { anyone } from './principal.ts';
import type { Principal } from './principal.ts';
import { secretIn } from './read-credentials.ts';

const administrator: Principal = {
  kind: 'administrator',
  id: 'administrator',
  name: 'administrator',
  grants: allGrants,
};

/** What requests are recognised by. */
interface AuthenticationOptions {
  /** Whether whoever sends no credentials may do nothing. */
  readonly isRequired: boolean;
  readonly keys: IssuedKeys;
  /** Absent if no issuer's tokens are accepted. */
  readonly tokens?: IssuerTokens | undefined;
  /** The key of the environment, which permits everything. */
  readonly administratorKey?: string | undefined;
}

/** Tells who sends a request or a command. */
export class Authentication {
  readonly isRequired: boolean;
  readonly #keys: IssuedKeys;
  readonly #tokens: IssuerTokens | undefined;
  readonly #administrator: string | undefined;

  constructor({ isRequired, keys, tokens, administratorKey }: AuthenticationOptions) {
    this.isRequired = isRequired;
    this.#keys = keys;
    this.#tokens = tokens;
    this.#administrator = administratorKey === undefined ? undefined : digest(administratorKey);
  }

  /**
   * Returns who sends a request with this `Authorization`; without one, anyone, or undefined if that is not
   * enough. Throws `ProblemError` 401 `invalid-credentials`, and what the store throws.
   */
  async identify(authorization: string | undefined): Promise<Principal | undefined> {
    if (authorization === undefined) return this.isRequired ? undefined : anyone;
    const secret = secretIn(authorization);
    if (secret === undefined)
      throw invalidCredentials('Authorization is "Bearer KEY", or "Basic" with the key as the password.');
    return this.identifyKey(secret);
  }

  /**
   * Returns whose key this is, which stood in an address: one that permits to read feeds and nothing else, as
   * addresses end up where keys should not. Throws as `identify` does.
   */
  async identifyReader(key: string): Promise<Principal> {
    const principal = await this.#keys.recognize(key);
    if (principal === undefined || !mayBeAddressed(principal))
      throw invalidCredentials('The address is unknown, expired or revoked.');
    return principal;
  }

  /** Returns whose certificate has this subject, as a trusted proxy says. Throws as `identify` does. */
  async identifySubject(subject: string): Promise<Principal> {
    const principal = await this.#keys.recognizeSubject(subject);
    if (principal === undefined)
      throw invalidCredentials('The subject of the client certificate stands for no key that is accepted.');
    return principal;
  }

  /**
   * Returns who sends a request, as `identify` and `identifyReader` do, if that is known at once and is
   * accepted; else undefined. The administrator of the environment, and whoever needs no key, are not found.
   * @param addressed the key that stood in the address
   */
  recall(authorization: string | undefined, addressed: string | undefined): Principal | undefined {
    if (addressed !== undefined) {
      const reader = this.#keys.recall(addressed);
      return reader !== undefined && mayBeAddressed(reader) ? reader : undefined;
    }
    const secret = authorization === undefined ? undefined : secretIn(authorization);
    return secret === undefined ? undefined : (this.#keys.recall(secret) ?? this.#tokens?.recall(secret));
  }

  /** Returns whose key or token this is. Throws as `identify` does. */
  async identifyKey(key: string): Promise<Principal> {
    if (this.#administrator !== undefined && isSameSecret(this.#administrator, digest(key)))
      return administrator;
    const principal = (await this.#keys.recognize(key)) ?? (await this.#tokens?.recognize(key));
    if (principal === undefined) throw invalidCredentials('The key is unknown, expired or revoked.');
    return principal;
  }
}

/** So that both sides of a comparison have one length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
