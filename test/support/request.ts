/**
 * `fetch` on a connection of its own: on one that is kept alive, a request can meet the server closing it
 * after an idle time, which is long for a story but may pass on a loaded machine.
 */
export function request(url: string | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  return fetch(url, { ...init, headers });
}
