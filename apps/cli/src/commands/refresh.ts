import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { requestFetch } from '../service/request-fetch.ts';
import type { FetchArguments } from '../service/request-fetch.ts';

/** Fetches the feed of a subscription now. Throws as `requestFetch` does. */
export async function refresh(options: FetchArguments, io: Io): Promise<ExitCode> {
  return requestFetch('refresh', options, io);
}
