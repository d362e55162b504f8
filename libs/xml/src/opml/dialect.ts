import { syncNamespace } from '../namespace.ts';
import type { Dialect } from '../payload.ts';
import { isSseNamespace } from '../tree.ts';

// What may stand before the root: white space, comments, processing instructions, a document type.
const prolog = /^\uFEFF?(?:\s+|<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^<>]*>)*/;
const declaration = /\sxmlns(?::[^\s=]+)?\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Whose synchronisation data a document has, as its first characters show: SSE's where it is an outline or
 * where of both namespaces SSE's is declared first, else FeedSync's.
 */
export function dialectOf(text: string): Dialect {
  const root = text.slice(prolog.exec(text)?.[0].length ?? 0);
  if (/^<opml[\s/>]/.test(root)) return 'sse';
  for (const [, inDouble, inSingle = ''] of root.matchAll(declaration)) {
    const namespace = inDouble ?? inSingle;
    if (isSseNamespace(namespace)) return 'sse';
    if (namespace === syncNamespace) return 'feedsync';
  }
  return 'feedsync';
}
