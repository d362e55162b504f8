import { deepStrictEqual } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaseEndpoint } from '../case-endpoint.ts';
import { compareViolations } from '../compare-violations.ts';
import type { CaseOf } from '../conformance-case.ts';
import { expectRefusal } from '../expect-refusal.ts';
import { subscribe } from '../subscribe.ts';
import { performSseOperation } from './perform.ts';
import { plainItems } from './plain-document.ts';
import type { PlainItem } from './plain-document.ts';
import { publish } from './publish.ts';
import { publishedText } from '../published-text.ts';
import type { SseOperation } from './sse-operation.ts';

/**
 * Runs one case. Answers nothing; throws an AssertionError, or what the operation threw, where the case does
 * not pass.
 */
export async function runSseCase(conformanceCase: CaseOf<SseOperation>): Promise<void> {
  const { folder, error } = conformanceCase;
  if (conformanceCase.operation === 'validate')
    return compareViolations(folder, conformanceCase.expected.violations);
  if (conformanceCase.operation === 'subscribe') return subscribeAndCompareItems(conformanceCase);
  if (conformanceCase.operation === 'publish') return publish(conformanceCase);
  if (error !== undefined) return expectRefusal(error, () => performSseOperation(conformanceCase));
  const set = performSseOperation(conformanceCase);
  compareWithExpected(set.write(), folder, set.isOrdered);
}

async function subscribeAndCompareItems(
  conformanceCase: CaseOf<SseOperation & { operation: 'subscribe' }>,
): Promise<void> {
  const { folder, format = 'rss', ordered = false } = conformanceCase;
  const endpoint = new CaseEndpoint();
  await endpoint.open({ ordered }, { protocol: 'sse', format });
  await subscribe(conformanceCase, endpoint);
  if (existsSync(join(folder, 'expected.xml')))
    compareWithExpected(await publishedText(endpoint, 'complete'), folder, ordered || format === 'opml');
}

/**
 * Compares a document with `expected.xml` as both stand there, in the order of ids where their own does not
 * count.
 */
function compareWithExpected(text: string, folder: string, isOrdered: boolean): void {
  const itemsOf = (document: string): PlainItem[] =>
    isOrdered ? plainItems(document) : plainItems(document).toSorted(byId);
  deepStrictEqual(itemsOf(text), itemsOf(readFileSync(join(folder, 'expected.xml'), 'utf8')));
}

function byId(a: PlainItem, b: PlainItem): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
