import { CredentialsError, FetchError, headerFieldsOf, openCredentials, originOf } from '#core';
import type { CredentialKeys, HttpFetch, Subscription } from '#core';

type Reader = Pick<Subscription, 'collection' | 'url' | 'credentials'>;

/**
 * Requests with the credentials of a subscription: to the origin of its URL, and to no other. If they can't
 * be read, nothing is requested there: `get` throws `FetchError` `credentials-key`, `credentials-damaged` or
 * `credentials-origin`.
 */
export function withCredentials(http: HttpFetch, subscription: Reader, keys: CredentialKeys): HttpFetch {
  if (subscription.credentials === undefined) return http;
  const origin = originOf(subscription.url);
  let fields: Readonly<Record<string, string>> | undefined;
  return {
    async get(request) {
      if (originOf(request.url) !== origin) return http.get(request);
      fields ??= fieldsOf(subscription, origin, keys);
      return http.get({ ...request, credentials: fields });
    },
  };
}

function fieldsOf(
  { collection, credentials }: Reader,
  origin: string,
  keys: CredentialKeys,
): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  if (credentials.origin !== origin)
    throw new FetchError(
      'credentials-origin',
      `nothing was requested: the credentials are for ${credentials.origin}, and the feed is at ${origin}`,
    );
  try {
    return headerFieldsOf(openCredentials(keys, collection, credentials));
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    throw new FetchError(error.rule, `nothing was requested: ${error.message}`);
  }
}
