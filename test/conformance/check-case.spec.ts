import { expect, test } from '@jest/globals';
import { CaseDocuments } from './case-file/case-documents.ts';
import { checkCase } from './check-case.ts';
import { cseForms } from './cse-case/cse-forms.ts';
import { feedsyncForms } from './feedsync-forms.ts';

/** A case with these properties and empty documents of these names. */
function caseOf(properties: { operation: string } & Record<string, unknown>, ...names: readonly string[]) {
  const documents = new CaseDocuments(new Map(names.map((name) => [name, ''])));
  return { section: '1', title: 'A case', name: '1/a', text: '', documents, ...properties };
}

const merged = ['local.xml', 'incoming.xml', 'expected.xml'];

test.each([
  [caseOf({ operation: 'merge' }, ...merged)],
  [caseOf({ operation: 'merge', choice: 'Why.', erratum: 'What.' }, ...merged, 'incoming-2.xml')],
  [caseOf({ operation: 'undelete', id: 'a', error: 'count-limit' }, 'local.xml')],
  [caseOf({ operation: 'validate', expected: { violations: [] } }, 'input.xml')],
  [caseOf({ operation: 'subscribe', steps: [{ feed: 'a.xml', expected: { until: '1' } }] }, 'a.xml')],
  [caseOf({ operation: 'publish', steps: [{ pass: 1 }, { pass: 1, expected: { since: 1 } }] })],
])('accepts a whole case %#', (whole) => {
  expect(() => checkCase(whole, feedsyncForms)).not.toThrow();
});

test.each([
  [caseOf({ operation: 'sync', rounds: [{ expected: { holds: {} } }] }, '1/a/b.txt')],
  [caseOf({ operation: 'mirror', rounds: [{ at: '' }, { at: '' }] }, '1/feed.xml', 'expected/2/feed.xml')],
  [caseOf({ operation: 'publish', steps: [{ at: '', edits: [{ refused: 'x' }] }] })],
  [caseOf({ operation: 'publish', steps: [{ at: '', shown: {} }] })],
])('accepts a whole case of a tree %#', (whole) => {
  expect(() => checkCase(whole, cseForms)).not.toThrow();
});

test.each([
  ['the operation mend is unknown', caseOf({ operation: 'mend' }, ...merged)],
  ['the property when is unknown', caseOf({ operation: 'merge', when: 'now' }, ...merged)],
  ['the property error is unknown', caseOf({ operation: 'merge', error: 'x' }, 'local.xml', 'incoming.xml')],
  ['the property steps is unknown', caseOf({ operation: 'merge', steps: [] }, ...merged)],
  ['the property at is unknown', caseOf({ operation: 'publish', steps: [{ at: '' }] })],
  ['the document other.xml is unknown', caseOf({ operation: 'merge' }, ...merged, 'other.xml')],
  ['the document incoming.xml is missing', caseOf({ operation: 'merge' }, 'local.xml', 'expected.xml')],
  ['the document expected.xml is missing', caseOf({ operation: 'merge' }, 'local.xml', 'incoming.xml')],
  [
    'the document expected.xml is unknown',
    caseOf({ operation: 'delete', error: 'x' }, 'local.xml', 'expected.xml'),
  ],
  ['the case expects nothing', caseOf({ operation: 'validate' }, 'input.xml')],
  ['the case expects nothing', caseOf({ operation: 'validate', expected: {} }, 'input.xml')],
  ['the case expects nothing', caseOf({ operation: 'publish', steps: [{ pass: 1 }, { expected: {} }] })],
])('refuses a case: %s', (message, faulty) => {
  expect(() => checkCase(faulty, feedsyncForms)).toThrow(message);
});

test.each([
  ['the document 2/a.txt is of a step that there is not', ['1/feed.xml', '2/a.txt']],
  ['the document expected/2/a.xml is of a step that there is not', ['1/feed.xml', 'expected/2/a.xml']],
  ['the document a.txt is unknown', ['1/feed.xml', 'a.txt']],
  ['the case expects nothing', ['1/feed.xml']],
])('refuses a case of a tree: %s', (message, names) => {
  expect(() => checkCase(caseOf({ operation: 'mirror', rounds: [{ at: '' }] }, ...names), cseForms)).toThrow(
    message,
  );
});
