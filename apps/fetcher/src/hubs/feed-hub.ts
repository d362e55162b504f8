import { parseUrl } from '#core';
import type { FeedHub, FetchResponse } from '#core';
import { atomNamespace, readAttributes, resolveBase } from '#xml';
import type { FeedHead } from '#xml';
import { parseLinks } from './link-header.ts';
import type { Link } from './link-header.ts';

/** The hub of a feed and what it calls the feed. */
export type NamedHub = Pick<FeedHub, 'url' | 'topic'>;

/** How long an address may be that is kept, in UTF-16 code units. */
const maximumLength = 2048;

/**
 * Finds the hub that a feed names (WebSub, 4): by `Link` in the header of its response, else by `atom:link`
 * in its head. Of several the first one is taken. Both `hub` and `self` are needed.
 * @param head undefined if the feed was not read
 * @returns `unsaid` if the feed was not read and the header names no hub; undefined if the feed names none
 */
export function hubOf(
  { url, link }: Pick<FetchResponse, 'url' | 'link'>,
  head: Pick<FeedHead, 'children' | 'scope'> | undefined,
): NamedHub | 'unsaid' | undefined {
  const links = [...(link === undefined ? [] : parseLinks(link, url)), ...(head ? linksIn(head, url) : [])];
  const [hub, topic] = [firstOf(links, 'hub'), firstOf(links, 'self')];
  if (hub !== undefined && topic !== undefined) return { url: hub, topic };
  return head === undefined ? 'unsaid' : undefined;
}

function firstOf(links: readonly Link[], relation: string): string | undefined {
  return links.find(({ url, relations }) => relations.includes(relation) && isUsable(url))?.url;
}

/** Whether an address can be requested, and be shown to anyone. */
function isUsable(url: string): boolean {
  const { protocol, username = '', password = '' } = parseUrl(url) ?? {};
  return /^https?:$/.test(protocol ?? '') && username + password === '' && url.length <= maximumLength;
}

function linksIn({ children, scope }: Pick<FeedHead, 'children' | 'scope'>, url: string): Link[] {
  return children.flatMap((child) => {
    if (child.name !== 'link' || child.namespace !== atomNamespace) return [];
    const attributes = readAttributes(child.xml);
    const own = attributes.get('xml:base');
    const base = resolveBase(url, resolveBase(scope.base, own)) ?? url;
    const address = parseUrl(attributes.get('href')?.trim() ?? '', base)?.href;
    const relations = (attributes.get('rel') ?? '').trim().toLowerCase().split(/\s+/);
    return address === undefined || !attributes.has('href') ? [] : [{ url: address, relations }];
  });
}
