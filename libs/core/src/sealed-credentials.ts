import { parseUrl } from '#xml';
/** How a request proves who we are: Basic (RFC 7617), a bearer token (RFC 6750), or header fields. */
export type CredentialsKind = 'basic' | 'bearer' | 'headers';

/** The credentials of a subscription as they are stored: only a key of this installation opens them. */
export interface SealedCredentials {
  readonly kind: CredentialsKind;
  /** The only origin that they are sent to, such as `https://feeds.example`. */
  readonly origin: string;
  /** The name of the key. */
  readonly key: string;
  /** The encrypted credentials, base64url. */
  readonly sealed: string;
}

/** Returns the origin of a URL (RFC 6454, 4); empty for what is no URL. */
export function originOf(url: string): string {
  return parseUrl(url)?.origin ?? '';
}
