import { unlessCutOff } from './until-refused.ts';
import { until } from './until.ts';

/**
 * Issues credentials that end in two seconds, then in four, and so on, until a request with them is accepted:
 * a busy machine may take longer than they live. Returns the first that were, and the response.
 * @param issue makes some that end then, on a whole second
 * @throws what fails or is refused before they have ended, and what a request fails with that is not cut off
 */
export function untilAccepted<Credentials>(
  issue: (end: Date) => Promise<Credentials>,
  send: (credentials: Credentials) => Promise<Response>,
): Promise<{ readonly credentials: Credentials; readonly response: Response }> {
  let seconds = 1;
  return until(async () => {
    seconds *= 2;
    const end = new Date((Math.ceil(Date.now() / 1000) + seconds) * 1000);
    const unlessEnded = (error: unknown): undefined => {
      if (Date.now() < end.getTime()) throw error;
    };
    const credentials = await issue(end).catch(unlessEnded);
    if (credentials === undefined) return undefined;
    const response = await unlessCutOff(() => send(credentials));
    if (response?.status === 200) return { credentials, response };
    return unlessEnded(new Error(`${response?.status ?? 'cut off'} before ${end.toISOString()}`));
  });
}
