import { resolveBase } from './base.ts';
import { escapeAttribute, readAttributeValue } from './escape.ts';
import type { Scope } from './payload.ts';

/** An attribute as it is spelled in a start tag. */
export class RawAttribute {
  /** With its prefix. */
  readonly name: string;
  readonly #raw: string;
  /** Where its value stands between the quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;

  constructor(name: string, raw: string, valueEnd: number) {
    this.name = name;
    this.#raw = raw;
    this.valueStart = valueEnd - raw.length;
    this.valueEnd = valueEnd;
  }

  /** Read when it is asked for: it may have megabytes. */
  get value(): string {
    return readAttributeValue(this.#raw);
  }
}

const elementName = /<([^\s/>]+)/y;
const attribute = /\s+([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** The attributes of the start tag that a well-formed slice begins with. */
export function rawAttributes(xml: string): RawAttribute[] {
  const attributes: RawAttribute[] = [];
  attribute.lastIndex = nameEnd(xml);
  for (let match = attribute.exec(xml); match !== null; match = attribute.exec(xml)) {
    const raw = match[2] ?? match[3] ?? '';
    attributes.push(new RawAttribute(match[1] ?? '', raw, attribute.lastIndex - 1));
  }
  return attributes;
}

/** Whether an attribute of this name declares a namespace. */
export function isDeclaration(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:');
}

/** Returns the bindings that start tag attributes declare; the empty prefix is the default namespace. */
export function declaredBindings(attributes: readonly RawAttribute[]): Scope['namespaces'] {
  return attributes
    .filter(({ name }) => isDeclaration(name))
    .map(({ name, value }) => [name.slice('xmlns:'.length), value]);
}

/**
 * Declares on the start tag of a well-formed slice what it does not declare itself: bindings (an empty
 * namespace undeclares the default one), `xml:lang`, and `xml:base`, which is resolved with the slice's own
 * one.
 * @param ending follows the declarations, such as a line break; nothing by default.
 */
export function declareOn(xml: string, scope: Scope, ending = ''): string {
  const own = rawAttributes(xml);
  let added = '';
  for (const [prefix, namespace] of scope.namespaces) {
    const name = declarationName(prefix);
    if (!own.some((attribute) => attribute.name === name)) added += writeDeclaration(prefix, namespace);
  }
  const ownBase = own.find((attribute) => attribute.name === 'xml:base');
  const inherited = own.some((attribute) => attribute.name === 'xml:lang') ? { base: scope.base } : scope;
  added +=
    ownBase === undefined ? writeInherited(inherited) : writeInherited({ ...inherited, base: undefined });
  const end = nameEnd(xml);
  if (ownBase === undefined || scope.base === undefined)
    return xml.slice(0, end) + added + ending + xml.slice(end);
  const base = escapeAttribute(resolveBase(scope.base, ownBase.value) ?? '').replaceAll("'", '&#39;');
  return (
    xml.slice(0, end) +
    added +
    ending +
    xml.slice(end, ownBase.valueStart) +
    base +
    xml.slice(ownBase.valueEnd)
  );
}

/** A namespace declaration after a space; the empty prefix is the default namespace. */
export function writeDeclaration(prefix: string, namespace: string): string {
  return ` ${declarationName(prefix)}="${escapeAttribute(namespace)}"`;
}

function declarationName(prefix: string): string {
  return prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
}

/** `xml:base` and `xml:lang` as attributes, each after a space; empty if there is neither. */
export function writeInherited({ base, language }: Pick<Scope, 'base' | 'language'>): string {
  const baseAttribute = base === undefined ? '' : ` xml:base="${escapeAttribute(base)}"`;
  return language === undefined ? baseAttribute : `${baseAttribute} xml:lang="${escapeAttribute(language)}"`;
}

function nameEnd(xml: string): number {
  elementName.lastIndex = 0;
  elementName.test(xml);
  return elementName.lastIndex;
}
