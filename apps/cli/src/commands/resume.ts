import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { requestFetch } from '../service/request-fetch.ts';
import type { FetchArguments } from '../service/request-fetch.ts';

/** Resumes a paused subscription, which fetches its feed. Throws as `requestFetch` does. */
export async function resume(options: FetchArguments, io: Io): Promise<ExitCode> {
  return requestFetch('resume', options, io);
}
