/**
 * Issues credentials that end in two seconds, then in four, and so on, until a request with them is accepted:
 * a busy machine may take longer than they live. Returns the first that were, and the response.
 * @param issue makes some that end then, on a whole second
 * @throws what a request fails with, or that it was refused, before they have ended
 */
export async function untilAccepted<Credentials>(
  issue: (end: Date) => Promise<Credentials>,
  send: (credentials: Credentials) => Promise<Response>,
): Promise<{ readonly credentials: Credentials; readonly response: Response }> {
  for (let seconds = 2; ; seconds *= 2) {
    const end = new Date((Math.ceil(Date.now() / 1000) + seconds) * 1000);
    try {
      const credentials = await issue(end);
      const response = await send(credentials);
      if (response.ok) return { credentials, response };
      throw new Error(`${response.status} before ${end.toISOString()}: ${await response.text()}`);
    } catch (error) {
      if (Date.now() < end.getTime()) throw error;
    }
  }
}
