import type { GatewayConfiguration } from '#service';

/** Whose tokens are accepted. */
export interface TokenIssuer {
  /** The address of its public keys (RFC 7517). */
  readonly jwks: URL;
  readonly issuer: string;
  readonly audience: string;
  /** The claim with the grants. */
  readonly claim: string;
  /** Seconds that its clock may be wrong. */
  readonly skew: number;
}

/** The issuer that the settings name, if they do. */
export function tokenIssuer({
  AUTH_JWT_JWKS: jwks,
  AUTH_JWT_ISSUER: issuer,
  AUTH_JWT_AUDIENCE: audience,
  AUTH_JWT_CLAIM: claim,
  AUTH_JWT_SKEW_SECONDS: skew,
}: GatewayConfiguration): TokenIssuer | undefined {
  if (jwks === undefined || issuer === undefined || audience === undefined) return undefined;
  return { jwks: new URL(jwks), issuer, audience, claim, skew };
}
