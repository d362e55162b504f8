import { parseProperties, setProperty } from './parse-properties.ts';
import { splitSections } from './split-sections.ts';
import type { Section } from './split-sections.ts';

/** One case as a file holds it. */
export interface WrittenCase {
  /** What its `===` line says; missing if the file holds a single case. */
  readonly name?: string;
  readonly properties: Properties;
  /** The documents by their names, byte for byte. */
  readonly documents: ReadonlyMap<string, string>;
  /** The lines of the file that make up the case, without the properties that a list shares. */
  readonly text: string;
}

type Properties = Readonly<Record<string, unknown>>;

const noFinalNewline = '\\ No newline at end of file';

/**
 * Reads a file that holds one case, or a list of cases. `test/conformance/README.md` describes the format.
 * @throws Error with the number of the line
 */
export function parseCaseFile(text: string): WrittenCase[] {
  const { head, sections } = splitSections(text);
  const shared = parseProperties(head);
  const starts = sections.flatMap(({ kind }, index) => (kind === 'case' ? [index] : []));
  const [first] = starts;
  if (first === undefined) return [{ ...readCase(shared, sections), text }];
  if (first > 0) throw new Error(`line ${sections[0]?.line}: a list starts with a case, \`=== NAME\``);
  return starts.map((start, index) => readListed(shared, sections.slice(start, starts[index + 1])));
}

function readListed(shared: Properties, [head, ...sections]: readonly Section[]): WrittenCase {
  if (head === undefined) throw new Error('a case of a list has no section');
  const properties = { ...shared };
  for (const [key, value] of Object.entries(parseProperties(head)))
    setProperty(properties, key, value, `line ${head.line}`);
  const text = [head, ...sections].map(({ heading, lines }) => [heading, ...lines, ''].join('\n')).join('');
  return { ...readCase(properties, sections), name: head.name, text };
}

function readCase(
  given: Properties,
  sections: readonly Section[],
): Pick<WrittenCase, 'properties' | 'documents'> {
  const properties = { ...given };
  const documents = new Map<string, string>();
  for (const section of sections) {
    if (section.kind !== 'document') addPart(properties, section);
    else if (documents.has(section.name))
      throw new Error(`line ${section.line}: the document ${section.name} is given twice`);
    else documents.set(section.name, documentIn(section));
  }
  return { properties, documents };
}

/** Adds `step 2` as the second of `steps`. */
function addPart(properties: Record<string, unknown>, section: Section): void {
  const [kind = '', number] = section.name.split(' ');
  const parts: unknown = properties[`${kind}s`] ?? [];
  if (!Array.isArray(parts) || parts.length + 1 !== Number(number))
    throw new Error(`line ${section.line}: ${section.name} is given twice or out of order`);
  properties[`${kind}s`] = [...(parts as unknown[]), parseProperties(section)];
}

function documentIn({ lines, line }: Section): string {
  const marked = lines.indexOf(noFinalNewline);
  if (marked < 0) return lines.map((text) => `${text}\n`).join('');
  if (marked < lines.length - 1)
    throw new Error(`line ${line + 1 + marked}: \`${noFinalNewline}\` must end the document`);
  return lines.slice(0, marked).join('\n');
}
