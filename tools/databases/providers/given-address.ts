import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from './server.ts';
import type { Surroundings } from './provider.ts';

/** The address that was given does not lead to a usable server. We never take another one in its place. */
class GivenAddressError extends Error {
  override readonly name = 'GivenAddressError';
}

/**
 * The first provider: the address from the environment, once the server answers there. Undefined if none
 * is set. Throws `GivenAddressError` if it does not answer within `readyLimit` milliseconds; the address,
 * which may hold a password, is never logged.
 */
export async function givenAddress(
  server: Server,
  { environment, debug, log, signal }: Surroundings,
  answers: (address: string) => Promise<boolean>,
  readyLimit: number,
): Promise<string | undefined> {
  const address = environment[server.variable];
  if (address === undefined || address === '') {
    debug(`${server.title}: skipped ${server.variable}: not set`);
    return undefined;
  }
  const deadline = Date.now() + readyLimit;
  for (let attempt = 1; ; attempt += 1) {
    const reason = await answers(address).then(
      (ready) => (ready ? undefined : 'it is not ready'),
      (error: Error) => error.message,
    );
    if (reason === undefined) return address;
    if (attempt === 1) log(`${server.title}: ${server.variable} is set; waiting for an answer`);
    if (Date.now() > deadline) {
      throw new GivenAddressError(
        `${server.variable} is set, but there is no usable ${server.title} within ${readyLimit / 1000} s ` +
          `(FEEDMESH_READY_SECONDS): ${reason}. ` +
          `Correct it, or unset it to have a private ${server.title} started`,
      );
    }
    await delay(200, undefined, { signal });
  }
}
