import { parseUrl } from '#core';

/** A link that a response names. */
export interface Link {
  /** Absolute. */
  readonly url: string;
  /** Its relation types, in lower case. */
  readonly relations: readonly string[];
}

const target = /[\s,]*<([^<>]*)>/y;
const parameter = /\s*;\s*([^\s=;,]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/**
 * Reads the header field `Link` (RFC 8288, 3): the links with a relation, in its order. Those of another
 * context (`anchor`) and those without a URL are left out. Whatever follows a part that is no link is too.
 * @param base what relative references are resolved against
 */
export function parseLinks(field: string, base: string): Link[] {
  const links: Link[] = [];
  for (let place = 0; place < field.length;) {
    const reference = matchAt(target, field, place);
    if (reference === undefined) break;
    place = target.lastIndex;
    const parameters = new Map<string, string>();
    for (
      let found = matchAt(parameter, field, place);
      found !== undefined;
      found = matchAt(parameter, field, place)
    ) {
      place = parameter.lastIndex;
      const [, name = '', quoted, plain = ''] = found;
      // The first one counts (RFC 8288, 3.3).
      if (!parameters.has(name.toLowerCase()))
        parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
    }
    const url = parseUrl(reference[1]?.trim() ?? '', base)?.href;
    const relations = (parameters.get('rel') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((name) => name !== '');
    if (url !== undefined && relations.length > 0 && !parameters.has('anchor'))
      links.push({ url, relations });
  }
  return links;
}

function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | undefined {
  pattern.lastIndex = place;
  return pattern.exec(text) ?? undefined;
}
