import { defaultNamespaceOf, withDefaultNamespace } from '../default-namespace.ts';
import { escapeText } from '../escape.ts';
import type { Scope } from '../payload.ts';
import { writeDeclaration, writeInherited } from '../start-tag.ts';
import { writeAttributes } from '../attribute-writing.ts';
import { neededScope } from '../needed-scope.ts';
import type { OutlineDocument, OutlineNode } from './outline-document.ts';
import { outlineEnd } from './outline-nesting.ts';

/** What is in force where an outline is written. */
interface Surroundings {
  readonly bindings: ReadonlyMap<string, string>;
  readonly base?: string;
  readonly language?: string;
  readonly indentation: string;
}

// Deeper outlines are written below one another, so that a document is never much longer than what it says.
const longestIndentation = 64;

/**
 * Writes a plain OPML document in pieces, as aggregators read it: one outline a line. Foreign attributes and
 * elements keep their namespaces and, if a prefix does not stand for several of them, are declared once, on
 * the root. Throws `FeedError` (rule `xml-character`) for text that XML can't hold.
 */
export function* writeOutlineDocument({ title, outlines }: OutlineDocument): Generator<string> {
  const bindings = new Map<string, string>();
  const rest = outlines.toReversed();
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    addBindings(bindings, node);
    for (const child of node.children.toReversed()) rest.push(child);
    yield '';
  }
  const declarations = [...bindings]
    .map(([prefix, namespace]) => writeDeclaration(prefix, namespace))
    .join('');
  const head = title === undefined ? '<head/>' : `<head>\n    <title>${escapeText(title)}</title>\n  </head>`;
  yield `<?xml version="1.0" encoding="utf-8"?>\n<opml version="1.0"${declarations}>\n  ${head}\n  <body>\n`;
  yield* writeOutlines(outlines, { bindings, indentation: '    ' });
  yield '  </body>\n</opml>\n';
}

/** How many prefixes the root declares: with what else it has, no more than readers take. */
const mostDeclared = 200;

/** Adds the bindings that an outline needs; of several for one prefix the first counts. */
function addBindings(bindings: Map<string, string>, { payload }: OutlineNode): void {
  for (const [prefix, namespace] of neededScope(payload).namespaces)
    if (prefix !== '' && bindings.size < mostDeclared && !bindings.has(prefix))
      bindings.set(prefix, namespace);
}

/** Writes outlines of any depth, without recursion. */
function* writeOutlines(outlines: readonly OutlineNode[], root: Surroundings): Generator<string> {
  const open = [{ nodes: outlines.values(), surroundings: root }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const { value: node } = last.nodes.next();
    if (node !== undefined) {
      const { start, content, inside } = writeStart(node, last.surroundings);
      const { indentation } = last.surroundings;
      if (node.children.length === 0) {
        yield `${indentation}${start}${content === '' ? '/>' : `>${content}${outlineEnd}`}\n`;
      } else {
        yield `${indentation}${start}>${content}\n`;
        open.push({ nodes: node.children.values(), surroundings: inside });
      }
    } else {
      open.pop();
      const around = open.at(-1)?.surroundings;
      if (around !== undefined) yield `${around.indentation}${outlineEnd}\n`;
    }
  }
}

/** An outline's start tag up to its `>`, its own children, and what is in force inside it. */
function writeStart(
  { payload }: OutlineNode,
  around: Surroundings,
): { start: string; content: string; inside: Surroundings } {
  const { attributes = [], children } = payload;
  const scope = neededScope(payload);
  const own = scope.namespaces.filter(
    ([prefix, namespace]) => prefix !== '' && around.bindings.get(prefix) !== namespace,
  );
  const bindings = own.length === 0 ? around.bindings : new Map([...around.bindings, ...own]);
  const declarations = own.map(([prefix, namespace]) => writeDeclaration(prefix, namespace)).join('');
  const start =
    `<outline${declarations}${writeInherited(changes(scope, around))}` +
    writeAttributes(attributes, bindings);
  const defaultNamespace = defaultNamespaceOf(scope);
  const content = children
    .map(({ xml }) => (defaultNamespace === '' ? xml : withDefaultNamespace(xml, defaultNamespace)))
    .join('');
  const indentation =
    around.indentation.length < longestIndentation ? `${around.indentation}  ` : around.indentation;
  return {
    start,
    content,
    inside: { bindings, base: scope.base ?? around.base, language: scope.language, indentation },
  };
}

/**
 * `xml:base` and `xml:lang` if they differ from those in force; an empty language takes one back (XML 1.0,
 * 2.12), a base can't be.
 */
function changes({ base, language }: Scope, around: Surroundings): Pick<Scope, 'base' | 'language'> {
  return {
    ...(base !== around.base && { base }),
    ...(language !== around.language && { language: language ?? '' }),
  };
}
