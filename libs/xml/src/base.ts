import { isUrl, parseUrl } from './url.ts';
/**
 * The base in force where an element with `xml:base` (if it has one) stands inside an outer base (if there is
 * one), as XML Base 3 says. Two relative references are joined as far as that is possible without the
 * document's address.
 */
export function resolveBase(outer: string | undefined, own: string | undefined): string | undefined {
  if (outer === undefined || own === undefined) return own ?? outer;
  if (isUrl(own)) return own;
  const resolved = parseUrl(own, outer);
  if (resolved !== undefined) return resolved.href;
  if (own === '') return outer;
  return own.startsWith('/') ? own : outer.slice(0, outer.lastIndexOf('/') + 1) + own;
}
