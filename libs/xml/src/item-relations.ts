import { resolveBase } from './base.ts';
import { childElements } from './child-elements.ts';
import { addressIn } from './item-media.ts';
import { atomNamespace } from './namespace.ts';
import type { Child, Scope } from './payload.ts';
import { oneLine, readAttributes, readContent } from './text-content.ts';

/** The feed that an item was copied from. */
export interface ItemSource {
  readonly title?: string;
  /** The address of the feed. */
  readonly url?: string;
}

/** Returns the address of the comments on an item: RSS `comments`, or an Atom link of relation `replies`. */
export function commentsOf(children: readonly Child[], { base }: Scope): string | undefined {
  const addresses = children.map(({ namespace, name, xml }) => {
    if (namespace === '' && name === 'comments') return addressIn(readContent(xml).text, base);
    if (namespace !== atomNamespace || name !== 'link') return undefined;
    const attributes = readAttributes(xml);
    const isPage =
      attributes.get('rel')?.trim() === 'replies' && !/xml|json/i.test(attributes.get('type') ?? '');
    return isPage
      ? addressIn(attributes.get('href'), resolveBase(base, attributes.get('xml:base')))
      : undefined;
  });
  return addresses.find((address) => address !== undefined);
}

/** Returns the feed that an item was copied from (RSS 2.0 `source`, RFC 4287 4.2.11); undefined if none. */
export function sourceOf(children: readonly Child[], scope: Scope): ItemSource | undefined {
  const sources = children.filter(({ name }) => name === 'source').map((child) => readSource(child, scope));
  return sources.find((source) => source !== undefined);
}

function readSource(child: Child, scope: Scope): ItemSource | undefined {
  const { text, attributes } = readContent(child.xml);
  if (child.namespace === '') return source(text, addressIn(attributes.get('url'), scope.base));
  if (child.namespace !== atomNamespace) return undefined;
  const own = childElements(child, scope)
    .filter(({ namespace }) => namespace === atomNamespace)
    .map(({ name, xml }) => ({ name, ...readContent(xml) }));
  const links = own.filter(({ name }) => name === 'link').map((link) => link.attributes);
  const link = links.find((said) => said.get('rel') === 'self') ?? links[0];
  return source(
    own.find(({ name }) => name === 'title')?.text ?? '',
    addressIn(link?.get('href'), scope.base),
  );
}

function source(text: string, url: string | undefined): ItemSource | undefined {
  const title = oneLine(text);
  if (title === '' && url === undefined) return undefined;
  return { ...(title !== '' && { title }), ...(url !== undefined && { url }) };
}
