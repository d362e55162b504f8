import { deepStrictEqual } from 'node:assert/strict';
import { CaseEndpoint } from '../case-endpoint.ts';
import type { CaseDocuments } from '../case-file/case-documents.ts';
import { checkCase } from '../check-case.ts';
import { compareViolations } from '../compare-violations.ts';
import type { CaseOf } from '../conformance-case.ts';
import { expectRefusal } from '../expect-refusal.ts';
import { subscribe } from '../subscribe.ts';
import { performSseOperation } from './perform.ts';
import { plainItems } from './plain-document.ts';
import type { PlainItem } from './plain-document.ts';
import { publish } from './publish.ts';
import { publishedText } from '../published-text.ts';
import { sseForms } from './sse-forms.ts';
import type { SseOperation } from './sse-operation.ts';

/**
 * Runs one case. Returns nothing; throws an AssertionError, or what the operation threw, if the case does
 * not pass.
 */
export async function runSseCase(conformanceCase: CaseOf<SseOperation>): Promise<void> {
  checkCase(conformanceCase, sseForms);
  const { documents, error } = conformanceCase;
  if (conformanceCase.operation === 'validate')
    return compareViolations(documents.text('input.xml'), conformanceCase.expected.violations);
  if (conformanceCase.operation === 'subscribe') return subscribeAndCompareItems(conformanceCase);
  if (conformanceCase.operation === 'publish') return publish(conformanceCase);
  if (error !== undefined) return expectRefusal(error, () => performSseOperation(conformanceCase));
  const set = performSseOperation(conformanceCase);
  compareWithExpected(set.write(), documents, set.isOrdered);
}

async function subscribeAndCompareItems(
  conformanceCase: CaseOf<SseOperation & { operation: 'subscribe' }>,
): Promise<void> {
  const { documents, format = 'rss', ordered = false } = conformanceCase;
  const endpoint = new CaseEndpoint();
  await endpoint.open({ ordered }, { protocol: 'sse', format });
  await subscribe(conformanceCase, endpoint);
  if (documents.has('expected.xml'))
    compareWithExpected(await publishedText(endpoint, 'complete'), documents, ordered || format === 'opml');
}

/**
 * Compares a document with `expected.xml` as both stand there, in the order of ids if their own does not
 * count.
 */
function compareWithExpected(text: string, documents: CaseDocuments, isOrdered: boolean): void {
  const itemsOf = (document: string): PlainItem[] =>
    isOrdered ? plainItems(document) : plainItems(document).toSorted(byId);
  deepStrictEqual(itemsOf(text), itemsOf(documents.text('expected.xml')));
}

function byId(a: PlainItem, b: PlainItem): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
