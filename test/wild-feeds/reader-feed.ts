import { SaxesParser } from 'saxes';
import type { SeenItem } from './item-differences.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The items of one of our feeds for readers, in its order, with the names that they have in JSON. */
export function readerItems(xml: string): SeenItem[] {
  const root = readElement(xml);
  const isAtom = root.name === 'feed';
  const items = isAtom ? root.children : (root.children[0]?.children ?? []);
  return items
    .filter(({ name }) => name === (isAtom ? 'entry' : 'item'))
    .map(({ children }) => (isAtom ? atomItem(children) : rssItem(children)));
}

/** Reads a document; throws for one that is not well-formed. */
function readElement(xml: string): Element {
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  const [root] = document.children;
  if (root === undefined) throw new Error('The document has no element.');
  return root;
}

function atomItem(children: readonly Element[]): SeenItem {
  const links = named(children, 'link').map(({ attributes }) => attributes);
  const parts = (author: Element): [string, string][] =>
    author.children.map(({ name, text }) => [name, text]);
  return {
    ...typed(children, 'title', 'title'),
    link: links.find(({ rel }) => rel === 'alternate')?.['href'],
    ...typed(children, 'content', 'content'),
    ...typed(children, 'summary', 'summary'),
    published: textOf(children, 'published'),
    authors: named(children, 'author').map((author) => Object.fromEntries(parts(author))),
    enclosures: links.filter(({ rel }) => rel === 'enclosure').map(enclosureOf('href')),
  };
}

function rssItem(children: readonly Element[]): SeenItem {
  const [full, description] = [textOf(children, 'content:encoded'), textOf(children, 'description')];
  const further = named(children, 'atom:link').filter(({ attributes }) => attributes['rel'] === 'enclosure');
  return {
    title: textOf(children, 'title'),
    link: textOf(children, 'link'),
    content: full ?? description,
    contentType: 'html',
    ...(full !== undefined && { summary: description, summaryType: 'html' }),
    published: textOf(children, 'pubDate'),
    authors: named(children, 'dc:creator').map(({ text }) => ({ name: text })),
    enclosures: [
      ...named(children, 'enclosure').map(({ attributes }) => enclosureOf('url')(attributes)),
      ...further.map(({ attributes }) => enclosureOf('href')(attributes)),
    ],
  };
}

function named(children: readonly Element[], wanted: string): Element[] {
  return children.filter(({ name }) => name === wanted);
}

function textOf(children: readonly Element[], name: string): string | undefined {
  return named(children, name)[0]?.text;
}

function typed(children: readonly Element[], name: string, as: string): SeenItem {
  const [found] = named(children, name);
  return { [as]: found?.text, [`${as}Type`]: found?.attributes['type'] };
}

function enclosureOf(address: 'href' | 'url') {
  return ({ [address]: url, type, length }: Readonly<Record<string, string>>): SeenItem => ({
    url,
    // RSS requires both, which say nothing if nobody knows them.
    type: type === 'application/octet-stream' ? undefined : type,
    length: length === '0' ? undefined : length,
  });
}
