import { decodeHTMLStrict } from 'entities';
import { resolveBase } from './base.ts';
import { childElements } from './child-elements.ts';
import { atomNamespace, dublinCoreNamespace, podcastNamespace } from './namespace.ts';
import type { Child, Scope } from './payload.ts';
import { absoluteUrl } from './reader/absolute-url.ts';
import { oneLine, readContent } from './text-content.ts';

/** A person who wrote an item. */
export interface ItemAuthor {
  readonly name: string;
  readonly email?: string;
  /** Absolute. */
  readonly uri?: string;
}

/** How many elements that name an author are read. */
const mostAuthors = 100;

/**
 * Returns the authors of an item, each once: those of Atom and RSS and `dc:creator`, else those of a podcast.
 * Reads the first 100 elements that name one.
 * @param address absolute: the base of relative addresses if the item has none
 */
export function authorsOf(children: readonly Child[], scope: Scope, address?: string): readonly ItemAuthor[] {
  const candidates = children
    .filter(({ name }) => name === 'author' || name === 'creator')
    .slice(0, mostAuthors);
  const own = candidates.flatMap((child) => readAuthor(child, scope, address));
  const found = own.length > 0 ? own : candidates.flatMap(readPodcastAuthor);
  const byName = new Map<string, ItemAuthor>();
  for (const author of found) {
    const key = author.name.toLowerCase();
    byName.set(key, { ...author, ...byName.get(key) });
  }
  return [...byName.values()];
}

function readAuthor(child: Child, scope: Scope, address: string | undefined): ItemAuthor[] {
  const { namespace, name, xml } = child;
  if (name === 'author' && namespace === atomNamespace) return readPerson(child, scope, address);
  const isMailbox =
    (name === 'author' && namespace === '') || (name === 'creator' && namespace === dublinCoreNamespace);
  return isMailbox ? readMailbox(readContent(xml).text) : [];
}

function readPodcastAuthor({ namespace, name, xml }: Child): ItemAuthor[] {
  return name === 'author' && namespace === podcastNamespace ? readMailbox(readContent(xml).text) : [];
}

/** Reads an Atom person (RFC 4287, 3.2). */
function readPerson(child: Child, scope: Scope, address: string | undefined): ItemAuthor[] {
  const elements = childElements(child, scope);
  const part = (wanted: string): string => {
    const element = elements.find(({ namespace, name }) => name === wanted && namespace === atomNamespace);
    return element === undefined ? '' : oneLine(readContent(element.xml).text);
  };
  const [email, uri] = [part('email'), absoluteUrl(part('uri'), resolveBase(address, scope.base))];
  const written = elements.length === 0 ? oneLine(readContent(child.xml).text) : '';
  return named(part('name') || email || written).map((author) => ({
    ...author,
    ...(isMailAddress(email) && { email }),
    ...(uri !== undefined && { uri }),
  }));
}

// The address comes first or last, in brackets or not; the name may be in quotes or parentheses.
const addressFirst = /^<?([^\s()<>@]+@[^\s()<>]+)>?(?: ?\(([^()]*)\)| (.*))?$/;
const addressLast = /^(.*\S)(?: ?[<(]| )([^\s()<>@]+@[^\s()<>]+)[>)]?$/;

/** Reads `a@b.example (Ann)`, `Ann <a@b.example>`, the two without brackets, or one of them alone. */
function readMailbox(text: string): ItemAuthor[] {
  const written = oneLine(decodeHTMLStrict(text)).replace(/^mailto:/i, '');
  const [, last, lastEmail] = addressLast.exec(written) ?? [];
  const [, firstEmail, inParentheses, beside] = addressFirst.exec(written) ?? [];
  const email = lastEmail ?? firstEmail;
  if (email === undefined) return named(written);
  const name = (last ?? inParentheses ?? beside ?? '').replace(/^"(.*)"$|^\((.*)\)$/, '$1$2');
  return named(name.trim() || email).map((author) => ({ ...author, ...(isMailAddress(email) && { email }) }));
}

function named(text: string): ItemAuthor[] {
  const name = oneLine(text);
  return name === '' ? [] : [{ name }];
}

function isMailAddress(text: string): boolean {
  return /^[a-z0-9_+.'!#$%&*/=?^`{|}~-]+@(?:[a-z0-9-]+\.)+[a-z0-9-]+$/i.test(text);
}
