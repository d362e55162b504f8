import type { ExitCode } from '../command-error.ts';
import type { Io } from '../io.ts';
import { fetchSelected } from '../service/request-fetch.ts';
import type { FetchSelection } from '../service/request-fetch.ts';

/** Fetches the feed of a subscription now, or those of a filter soon. Throws as `fetchSelected` does. */
export async function refresh(selected: FetchSelection, io: Io): Promise<ExitCode> {
  return fetchSelected('refresh', selected, io);
}
