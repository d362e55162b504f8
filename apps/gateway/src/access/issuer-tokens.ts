import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, jwksCache, jwtVerify } from 'jose';
import type { JSONWebKeySet, JWKSCacheInput, JWTPayload } from 'jose';
import { LatestEntries } from '#core';
import type { Clock } from '#core';
import { ProblemError } from '../problems/problem-error.ts';
import type { Principal } from './principal.ts';
import { readClaims } from './token-claims.ts';
import { grantsIn } from './token-grants.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** What signs with a key of its own: no secret that is shared, and never nothing. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** How many tokens are remembered, those that came last. */
const rememberedTokens = 10_000;
/** Milliseconds after which the issuer's keys are read again: a token whose key has left is then refused. */
const keysAge = 300_000;
/** Milliseconds between two attempts to read them. */
const readingPause = 30_000;
/** The most characters of a token. */
const longestToken = 8192;

/** Recognises the JSON Web Tokens (RFC 7519) of an issuer. */
export class IssuerTokens {
  readonly #issuer: TokenIssuer;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  /** Has the keys that were read last. */
  readonly #cache: JWKSCacheInput = {};
  #current: JSONWebKeySet | undefined;
  /** How often keys have left those of the issuer. */
  #withdrawals = 0;
  /** Milliseconds since 1970. */
  #askedAt = 0;
  /** By the digest of a token. */
  readonly #remembered = new LatestEntries<string, Principal>(rememberedTokens);

  constructor(issuer: TokenIssuer, clock: Pick<Clock, 'now'>) {
    this.#issuer = issuer;
    this.#clock = clock;
    // A key that is not among those known is looked for once in half a minute, whatever tokens name.
    this.#keys = createRemoteJWKSet(issuer.jwks, {
      cooldownDuration: readingPause,
      cacheMaxAge: keysAge,
      timeoutDuration: 5000,
      [jwksCache]: this.#cache,
    });
  }

  /**
   * Returns whose token a text is; undefined if it is none that is accepted now. Throws `ProblemError` 401
   * for wrong claims, 503 if the issuer's keys can't be read.
   */
  async recognize(text: string): Promise<Principal | undefined> {
    if (!isToken(text)) return undefined;
    const digest = digestOf(text);
    const known = this.#remembered.get(digest);
    return known?.isValid?.() === true ? known : this.#verify(text, digest);
  }

  /** Returns whose token a text is if it was verified before, and is accepted now; else undefined. */
  recall(text: string): Principal | undefined {
    const known = isToken(text) ? this.#remembered.get(digestOf(text)) : undefined;
    return known?.isValid?.() === true ? known : undefined;
  }

  async #verify(text: string, digest: string): Promise<Principal | undefined> {
    const { issuer, claim, skew } = this.#issuer;
    const withdrawals = this.#countWithdrawals();
    const payload = await this.#payloadOf(text);
    if (payload === undefined) return undefined;
    // Its key may have left meanwhile.
    if (this.#countWithdrawals() !== withdrawals) return this.#verify(text, digest);
    const { sub, exp, [claim]: grants } = readClaims(payload, this.#clock.now().getTime() / 1000, skew);
    const principal: Principal = {
      kind: 'token',
      id: `${issuer}#${sub}`,
      name: sub,
      grants: grantsIn(grants),
      expiresAt: new Date(exp * 1000),
      isValid: () =>
        this.#countWithdrawals() === withdrawals && this.#clock.now().getTime() < (exp + skew) * 1000,
    };
    this.#remembered.set(digest, principal);
    return principal;
  }

  /** The claims of a token that the issuer has signed for us; undefined if it has not. */
  async #payloadOf(text: string): Promise<JWTPayload | undefined> {
    const { issuer, audience, skew } = this.#issuer;
    try {
      const { payload } = await jwtVerify(text, this.#keys, {
        algorithms,
        issuer,
        audience,
        clockTolerance: skew,
        requiredClaims: ['exp', 'sub'],
        currentDate: this.#clock.now(),
      });
      return payload;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw new ProblemError(
        503,
        'unavailable',
        `The keys of the issuer ${issuer} can't be read (setting AUTH_JWT_JWKS).`,
      );
    }
  }

  /**
   * How often keys have left those of the issuer, which are read again from time to time. While they can't be
   * read, the former ones stay.
   */
  #countWithdrawals(): number {
    const now = this.#clock.now().getTime();
    if (now - (this.#cache.uat ?? 0) >= keysAge && now - this.#askedAt >= readingPause) {
      this.#askedAt = now;
      this.#keys.reload().catch(() => {});
    }
    const { jwks } = this.#cache;
    if (jwks !== this.#current && lacksSome(jwks, this.#current)) this.#withdrawals += 1;
    this.#current = jwks;
    return this.#withdrawals;
  }
}

/** Whether a set has not all the keys of another one. */
function lacksSome(jwks: JSONWebKeySet | undefined, former: JSONWebKeySet | undefined): boolean {
  const keys = new Set(jwks?.keys.map((key) => JSON.stringify(key)));
  return former?.keys.some((key) => !keys.has(JSON.stringify(key))) === true;
}

function isToken(text: string): boolean {
  return text.length <= longestToken && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Whether an error is the token's fault, and not that the issuer's keys can't be read. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}
