import { CredentialsError, FetchError, headerFieldsOf, openCredentials, originOf } from '#core';
import type { CredentialKeys, HttpFetch, Subscription } from '#core';

type Reader = Pick<Subscription, 'collection' | 'url' | 'userAgent' | 'acceptLanguage' | 'credentials'>;

/**
 * Requests as a subscription sends them: with its `User-Agent` and `Accept-Language`, and with its
 * credentials to the origin of its URL, and to no other. If they can't be read, nothing is requested there:
 * `get` throws `FetchError` `credentials-key`, `credentials-damaged` or `credentials-origin`.
 */
export function subscriberHttp(http: HttpFetch, subscription: Reader, keys: CredentialKeys): HttpFetch {
  const { userAgent, acceptLanguage, credentials } = subscription;
  const own = {
    ...(userAgent !== undefined && { userAgent }),
    ...(acceptLanguage !== undefined && { acceptLanguage }),
  };
  if (credentials === undefined) return { get: (request) => http.get({ ...request, ...own }) };
  const origin = originOf(subscription.url);
  let fields: Readonly<Record<string, string>> | undefined;
  return {
    async get(request) {
      if (originOf(request.url) !== origin) return http.get({ ...request, ...own });
      fields ??= fieldsOf(subscription, origin, keys);
      return http.get({ ...request, ...own, credentials: fields });
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
