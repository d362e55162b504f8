import { isUrl } from './url.ts';
import { resolveBase } from './base.ts';
import { ItemLength } from './item-length.ts';
import type { Payload } from './payload.ts';

// An attribute that holds a reference, in markup or in escaped HTML, or an element that is one; what follows
// has no scheme. It says yes rather too often. Nothing in it can match the same text in two ways, so it takes
// linear time.
const attribute = '(?:href|src|srcset|cite|action|poster|data|url|background|base)';
const quote = String.raw`(?:["']|&(?:quot|apos|#3[49]|#x2[27]);|(?![\s"'&]))`;
const scheme = String.raw`\s*[a-z][a-z0-9+.-]{0,30}:`;
const relativeReference = new RegExp(
  String.raw`(?:${attribute}\s*=\s*${quote}|<(?:link|comments|uri)>)(?!${scheme})`,
  'i',
);

/**
 * Makes the payload's base absolute against the address of the document it came in, if something in it is
 * relative to that; otherwise answers the payload itself. FeedSync says nothing of this: XML Base 4 and RFC
 * 3986 5.1.3 do.
 * @param base the absolute address of the document.
 * @throws FeedError of rule `limit-item-length` for a payload that is too long with it
 */
export function withBase(payload: Payload, base: string): Payload {
  const { scope } = payload;
  const own = scope.base;
  if (own !== undefined && isUrl(own)) return payload;
  if (own === undefined && !hasRelativeReferences(payload)) return payload;
  const based = { ...payload, scope: { ...scope, base: resolveBase(base, own) } };
  new ItemLength().addPayload(based);
  return based;
}

/** Whether something in an item may be relative to the address of its document; says yes rather too often. */
export function hasRelativeReferences({ children }: Pick<Payload, 'children'>): boolean {
  return children.some(({ xml }) => relativeReference.test(xml));
}
