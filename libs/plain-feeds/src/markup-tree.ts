import { XMLParser } from 'fast-xml-parser';
import { decodeHTMLStrict } from 'entities';

/** An element as it is written: names with their prefixes. */
export interface MarkupElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly MarkupNode[];
}

/** An element, or character data. */
export type MarkupNode = MarkupElement | string;

/** What fast-xml-parser makes of a node: its name with its children, and its attributes. */
type ParsedNode = Readonly<Record<string, readonly ParsedNode[] | string | Readonly<Record<string, string>>>>;

const attributesOf = ':@';
const textName = '#text';
const sectionName = '#cdata';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  attributesGroupName: false,
  textNodeName: textName,
  cdataPropName: sectionName,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // References are read below, those of HTML too.
  processEntities: false,
});

/** Reads a text whose tags are balanced; returns what stands at its top. References are those of HTML. */
export function readMarkupTree(text: string): readonly MarkupNode[] {
  return (parser.parse(text) as readonly ParsedNode[]).flatMap(nodeOf);
}

function nodeOf(node: ParsedNode): MarkupNode[] {
  const name = Object.keys(node).find((key) => key !== attributesOf) ?? '';
  const value = node[name];
  if (name === textName) return [decodeHTMLStrict(value as string)];
  if (name === sectionName) return [sectionOf(value as readonly ParsedNode[])];
  const attributes = Object.entries((node[attributesOf] ?? {}) as Record<string, string>);
  return [
    {
      name,
      attributes: new Map(attributes.map(([key, raw]) => [key, decodeHTMLStrict(raw)])),
      children: (value as readonly ParsedNode[]).flatMap(nodeOf),
    },
  ];
}

/** The character data of a CDATA section, in which nothing is a reference. */
function sectionOf(children: readonly ParsedNode[]): string {
  return children.map((child) => (child[textName] ?? '') as string).join('');
}

/** All of the character data in an element. */
export function textOf({ children }: MarkupElement): string {
  return children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('');
}

/** The child elements. */
export function elementsOf({ children }: MarkupElement): readonly MarkupElement[] {
  return children.filter((child) => typeof child !== 'string');
}
