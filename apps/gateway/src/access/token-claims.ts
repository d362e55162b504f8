import type { JWTPayload } from 'jose';
import { z } from 'zod';
import { invalidCredentials } from './refusals.ts';

/** For how many seconds a token may be valid: one that gets about can't be revoked. */
const longestLife = 86_400;
/** The most characters of a subject: as many as the audit log keeps. */
const subjectLength = 500;

/** What of the claims (RFC 7519, 4.1) is used here; the others are as the issuer likes. */
const tokenClaims = z.looseObject({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  sub: z.string().max(subjectLength).regex(/\S/, 'must not be empty'),
  exp: z.number(),
  nbf: z.number().optional(),
  iat: z.number().optional(),
});
export type TokenClaims = z.infer<typeof tokenClaims>;

/**
 * Returns the claims of a token whose signature, issuer, audience and times are checked. Throws
 * `ProblemError` 401 if one has a wrong type, or the token is valid for longer than a day.
 * @param now in seconds since 1970
 * @param skew seconds that the issuer's clock may be wrong
 */
export function readClaims(payload: JWTPayload, now: number, skew: number): TokenClaims {
  const { data, error } = tokenClaims.safeParse(payload);
  if (data === undefined) {
    const [issue] = error.issues;
    throw invalidCredentials(
      `The claim "${issue?.path.join('.')}" of the token is wrong: ${issue?.message}.`,
    );
  }
  const { iat = now, exp } = data;
  if (iat > now + skew) throw invalidCredentials('The token is issued in the future (claim "iat").');
  if (exp - iat > longestLife)
    throw invalidCredentials(`The token is valid for more than ${longestLife} seconds (claim "exp").`);
  return data;
}
