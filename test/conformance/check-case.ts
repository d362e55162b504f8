import type { CaseOf } from './conformance-case.ts';

/** What a case of an operation may hold: names with a blank between them. */
export interface CaseForm {
  /** Properties beside those of every case. */
  readonly properties?: string;
  readonly steps?: string;
  readonly rounds?: string;
  /**
   * Documents; one that ends in `?` may be missing. `N` stands for a number, `*` for any text. If the
   * operation must be refused, `expected.xml` has to be missing.
   */
  readonly documents: string;
}

/** A case, one of its steps or one of its rounds. */
interface Part {
  readonly expected?: object;
  readonly shown?: object;
  readonly edits?: readonly { readonly refused?: string }[];
}

interface CheckedCase extends CaseOf<Part> {
  readonly operation: string;
  readonly steps?: readonly Part[];
  readonly rounds?: readonly Part[];
}

const everyCase = 'section title operation erratum choice name documents text';

/**
 * Makes sure that a case says nothing that its operation does not know, has the documents that the operation
 * needs, and expects something.
 * @param forms the form of each operation, by its name
 * @throws Error that names what is unknown or missing
 */
export function checkCase(
  conformanceCase: CaseOf<{ readonly operation: string }>,
  forms: Readonly<Record<string, CaseForm>>,
): void {
  const checked: CheckedCase = conformanceCase;
  const form = forms[checked.operation];
  if (form === undefined) throw new Error(`the operation ${checked.operation} is unknown`);
  const parts = [form.steps && 'steps', form.rounds && 'rounds'].join(' ');
  refuseUnknown(checked, `${everyCase} ${form.properties ?? ''} ${parts}`);
  for (const part of checked.steps ?? []) refuseUnknown(part, form.steps);
  for (const part of checked.rounds ?? []) refuseUnknown(part, form.rounds);
  checkDocuments(checked, form);
  if (!expectsSomething(checked)) throw new Error('the case expects nothing');
}

function refuseUnknown(part: object, known = ''): void {
  const unknown = Object.keys(part).find((key) => !known.split(' ').includes(key));
  if (unknown !== undefined) throw new Error(`the property ${unknown} is unknown`);
}

function checkDocuments({ documents, error, steps, rounds }: CheckedCase, form: CaseForm): void {
  const known = form.documents
    .split(' ')
    .filter((name) => name !== '' && (name !== 'expected.xml' || error === undefined));
  const patterns = known.map(patternOf);
  const unknown = documents.names.find((name) => !patterns.some((pattern) => pattern.test(name)));
  if (unknown !== undefined) throw new Error(`the document ${unknown} is unknown`);
  const missing = known.find((name) => !name.endsWith('?') && !documents.has(name));
  if (missing !== undefined) throw new Error(`the document ${missing} is missing`);
  const parts = [...(steps ?? []), ...(rounds ?? [])].length;
  const late = documents.names.find((name) => Number(/^(?:expected\/)?(\d+)\//.exec(name)?.[1]) > parts);
  if (late !== undefined) throw new Error(`the document ${late} is of a step that there is not`);
}

function patternOf(name: string): RegExp {
  const source = name.replace(/\?$/, '').replaceAll('.', '\\.');
  return new RegExp(`^${source.replace('*', '.+').replace('N', '[1-9]\\d*')}$`);
}

function expectsSomething({ error, documents, ...checked }: CheckedCase): boolean {
  if (error !== undefined || documents.names.some((name) => name.startsWith('expected'))) return true;
  return [checked, ...(checked.steps ?? []), ...(checked.rounds ?? [])].some(
    ({ expected = {}, shown, edits = [] }) =>
      Object.keys(expected).length > 0 ||
      shown !== undefined ||
      (Array.isArray(edits) && edits.some(({ refused }) => refused !== undefined)),
  );
}
