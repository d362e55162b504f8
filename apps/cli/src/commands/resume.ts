import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { fetchSelected } from '../service/request-fetch.ts';
import type { FetchSelection } from '../service/request-fetch.ts';

/** Resumes a paused subscription, or those of a filter, and fetches them. Throws as `fetchSelected` does. */
export async function resume(selected: FetchSelection, io: Io): Promise<ExitCode> {
  return fetchSelected('resume', selected, io);
}
