import { until } from './until.ts';

/**
 * Sends a request again and again until it is refused with this status, and returns the response.
 * @throws Error as `until` does, and whatever `unlessCutOff` throws
 */
export async function untilRefused<Refusal extends { readonly status: number }>(
  status: 401 | 403,
  send: () => Promise<Refusal>,
): Promise<Refusal> {
  const refusal = await until(
    () => unlessCutOff(send),
    (response) => response?.status === status,
  );
  return refusal as Refusal;
}

/**
 * Sends a request; undefined if it is cut off, which is what a gateway does with all that is in progress for
 * a key that is accepted no more, or a tenant that is suspended (`docs/access.md`).
 * @throws whatever else the request fails with
 */
export async function unlessCutOff<Read>(send: () => Promise<Read>): Promise<Read | undefined> {
  try {
    return await send();
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return undefined;
    throw error;
  }
}
