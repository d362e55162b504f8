import { FetchError } from '#core';
import type { FetchResponse, HttpFetch } from '#core';

/** Requests the complete feed of a feed. */
export async function requestComplete(
  http: HttpFetch,
  url: string,
): Promise<Extract<FetchResponse, { status: 'ok' }>> {
  const response = await http.get({ url }).catch((error: unknown) => {
    // Whatever has become of the complete feed: the feed that was subscribed to is not gone.
    throw error instanceof FetchError && error.status === 410
      ? new FetchError(error.rule, error.message, { cause: error })
      : error;
  });
  if (response.status === 'not-modified')
    throw new FetchError('http-status', `${url} answered 304 to a request without conditions.`, {
      status: 304,
    });
  return response;
}
