import type { IncomingMessage } from 'node:http';

type Targeted = Pick<IncomingMessage, 'url'>;

/** A target is a path, or a whole URL (RFC 9112, 3.2). */
const pattern = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i;

/** The path of a request, percent-encoded, without its query. */
export function pathIn({ url = '' }: Targeted): string {
  if (!url.startsWith('/')) return pattern.exec(url)?.[1] || '/';
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** The query of a request, without the question mark; empty if it has none. */
export function queryIn({ url = '' }: Targeted): string {
  return pattern.exec(url)?.[2] ?? '';
}
