import { SaxesParser } from 'saxes';
import type { SaxesTagNS } from 'saxes';
import { Bindings } from './bindings.ts';
import { FeedError } from './feed-error.ts';
import type { TextPlace } from './pending-text.ts';
import { xmlNamespace } from './namespace.ts';

/** What keeps one document from using up the machine. */
export interface XmlLimits {
  /** How deep elements may nest, the root being 1 (default 64). */
  readonly depth: number;
  /** How many attributes and namespace declarations one element may have (default 256). */
  readonly attributes: number;
}

export const defaultXmlLimits: XmlLimits = { depth: 64, attributes: 256 };

/** What to do at each event. Depth is 1 for the root. Only what is given costs time. */
export interface XmlHandlers {
  /** As soon as the name of a start tag is read; `name` has its prefix, `offset` is where its `<` stands. */
  start?(depth: number, name: string, offset: number): void;
  open?(tag: SaxesTagNS, depth: number): void;
  close?(tag: SaxesTagNS, depth: number): void;
}

// doctypedecl of XML 1.0 (2.8) with no more than an external identifier and an empty internal subset.
const harmlessDoctype =
  /^\s+[^\s[>"']+(?:\s+(?:SYSTEM|PUBLIC)(?:\s+(?:"[^"]*"|'[^']*'))+)?\s*(?:\[\s*\]\s*)?$/;
/** The bindings of Namespaces in XML 1.0 (3). */
const xmlBindings = new Bindings(
  Object.assign(Object.create(null), { xml: xmlNamespace, xmlns: 'http://www.w3.org/2000/xmlns/' }) as Record<
    string,
    string
  >,
);
const saxesPosition = /^[0-9]+:[0-9]+: /;

/**
 * Looks up namespaces in time that does not grow with the depth: saxes itself goes through all elements
 * around for each prefix.
 */
class NamespaceParser extends SaxesParser<{ xmlns: true; defaultXMLVersion: '1.0'; forceXMLVersion: true }> {
  /** What the element declares whose start tag is being read. */
  own: Readonly<Record<string, string>> = {};
  /** What is in force around it. */
  outer = xmlBindings;

  override resolve(prefix: string): string | undefined {
    return this.own[prefix] ?? this.outer.find(prefix);
  }
}

/**
 * A strict, namespace-aware parser of XML 1.0. Its `write` and `close` throw `FeedError` (rules
 * `xml-well-formed`, `xml-version`, `xml-doctype`, `limit-depth`, `limit-outline-depth`, `limit-attributes`).
 * External identifiers are skipped; internal declarations are refused. The text must have its line ends
 * normalised (XML 1.0, 2.11), so that offsets are those of the text.
 */
export class StrictParser {
  readonly #handlers: XmlHandlers;
  readonly #limits: XmlLimits;
  #saxes: NamespaceParser;
  /** Where the text of this `#saxes` begins in the document; the columns count in its first line. */
  #start = { offset: 0, line: 1, columns: 0 };
  #depthLimit: { readonly deepest: number; readonly rule: string; readonly name: string };
  /** The open elements, and what was in force around each. */
  readonly #around: { readonly name: string; readonly bindings: Bindings }[] = [];
  #depth = 0;
  #attributes = 0;
  #written = 0;
  /** How far saxes is ahead between two writes: it counts the last piece twice then. */
  #ahead = 0;

  constructor(handlers: XmlHandlers, limits: XmlLimits = defaultXmlLimits) {
    this.#handlers = handlers;
    this.#limits = limits;
    this.#depthLimit = { deepest: limits.depth, rule: 'limit-depth', name: 'depth' };
    this.#saxes = this.#open();
  }

  /** @param tags start tags of elements that are open, which are not reported */
  #open(tags = '', outer = xmlBindings): NamespaceParser {
    const saxes = new NamespaceParser({
      xmlns: true as const,
      defaultXMLVersion: '1.0',
      forceXMLVersion: true,
    });
    saxes.outer = outer;
    saxes.write(tags);
    // Six handlers, not one more: with a seventh V8 turns the parser into a dictionary, which makes it five
    // times slower.
    saxes.on('error', (error) =>
      this.fail('xml-well-formed', 'XML 1.0', `Not well-formed: ${error.message.replace(saxesPosition, '')}`),
    );
    saxes.on('doctype', (doctype) => {
      if (!harmlessDoctype.test(doctype))
        this.fail(
          'xml-doctype',
          'XML 1.0 2.8',
          'A document type declaration with an internal subset is not accepted.',
        );
    });
    saxes.on('attribute', () => {
      this.#attributes += 1;
      if (this.#attributes > this.#limits.attributes)
        this.fail(
          'limit-attributes',
          'limits',
          `An element has more than ${this.#limits.attributes} attributes (limit "attributes").`,
        );
    });
    saxes.on('opentagstart', ({ name, ns }) => {
      saxes.own = ns ?? {};
      this.#attributes = 0;
      this.#depth += 1;
      if (this.#depth === 1) this.#checkVersion();
      const { deepest, rule, name: limit } = this.#depthLimit;
      if (this.#depth > deepest)
        this.fail(rule, 'limits', `Elements nest deeper than ${deepest} (limit "${limit}").`);
      this.#handlers.start?.(this.#depth, name, this.offset - name.length - 2);
    });
    saxes.on('opentag', (tag) => {
      this.#around.push({ name: tag.name, bindings: saxes.outer });
      for (const _prefix in tag.ns) {
        saxes.outer = new Bindings(tag.ns, saxes.outer);
        break;
      }
      this.#handlers.open?.(tag, this.#depth);
    });
    saxes.on('closetag', (tag) => {
      this.#handlers.close?.(tag, this.#depth);
      this.#depth -= 1;
      saxes.outer = this.#around.pop()?.bindings ?? xmlBindings;
    });
    return saxes;
  }

  /** How much of the text has been read, in UTF-16 code units. */
  get offset(): number {
    return this.#start.offset + this.#saxes.position - this.#ahead;
  }

  /** The line of the next character, from 1. */
  get line(): number {
    return this.#start.line + this.#saxes.line - 1;
  }

  /** The column of the next character in UTF-16 code units, from 1. */
  get column(): number {
    const before = this.#saxes.line === 1 ? this.#start.columns : 0;
    return before + this.#saxes.columnIndex - this.#ahead + 1;
  }

  /** How many attributes and namespace declarations the start tag has that was read last. */
  get attributes(): number {
    return this.#attributes;
  }

  /** Has the limit `outlineDepth` for the depth from here on (rule `limit-outline-depth`). */
  limitOutlineDepth(deepest: number): void {
    this.#depthLimit = { deepest, rule: 'limit-outline-depth', name: 'outlineDepth' };
  }

  write(text: string): void {
    this.#ahead = 0;
    this.#saxes.write(text);
    this.#written += text.length;
    this.#ahead = this.#saxes.position - this.#written;
  }

  /**
   * Goes on at a later place of the document, after `write` has thrown or not, in the outermost elements that
   * are open.
   * @param depth how many of them
   */
  restart(depth: number, { offset, line, column }: TextPlace): void {
    const inside = this.#around[depth]?.bindings ?? this.#saxes.outer;
    this.#around.length = depth;
    const tags = this.#around.map(({ name }) => `<${name}>`).join('');
    this.#saxes = this.#open(tags, inside);
    this.#start = { offset: offset - tags.length, line, columns: column - 1 - tags.length };
    this.#depth = depth;
    this.#written = tags.length;
    this.#ahead = this.#saxes.position - this.#written;
  }

  /** Ends the document, which must be whole. */
  close(): void {
    this.#ahead = 0;
    this.#saxes.close();
  }

  #checkVersion(): void {
    const { version } = this.#saxes.xmlDecl;
    if (version !== undefined && version !== '1.0')
      this.fail('xml-version', 'XML 1.0 2.8', `XML ${version} is not accepted; XML 1.0 is.`);
  }

  /** Throws a `FeedError` at the place that was read last. */
  fail(rule: string, section: string, message: string): never {
    throw new FeedError({ rule, section, message, line: this.line, column: Math.max(1, this.column - 1) });
  }
}
