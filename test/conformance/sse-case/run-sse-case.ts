import { deepStrictEqual, fail } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemContent, SseContent } from '#ports';
import { CaseEndpoint } from '../case-endpoint.ts';
import { compareBreaches } from '../compare-breaches.ts';
import type { CaseOf } from '../conformance-case.ts';
import { expectRefusal } from '../expect-refusal.ts';
import { compare, subscribe } from '../subscribe.ts';
import { ItemSet } from './item-set.ts';
import { performSseOperation } from './perform.ts';
import { publish } from './publish.ts';
import { readDocumentFile } from './sse-document.ts';
import { sseMeaningOf } from './sse-meaning.ts';
import type { SseOperation } from './sse-operation.ts';

/** Runs one case. Answers nothing; throws an AssertionError, or what the operation threw, where the case does not pass. */
export async function runSseCase(conformanceCase: CaseOf<SseOperation>): Promise<void> {
  const { folder, error } = conformanceCase;
  if (conformanceCase.operation === 'validate') return compareBreaches(folder, conformanceCase.expected.breaches);
  if (conformanceCase.operation === 'subscribe') return subscribeAndCompareItems(conformanceCase);
  if (conformanceCase.operation === 'publish') return publish(conformanceCase);
  if (error !== undefined) return expectRefusal(error, () => performSseOperation(conformanceCase));
  deepStrictEqual(sseMeaningOf(performSseOperation(conformanceCase)), sseMeaningOf(expectedItems(conformanceCase)));
}

async function subscribeAndCompareItems(conformanceCase: CaseOf<SseOperation & { operation: 'subscribe' }>): Promise<void> {
  const { folder, format = 'rss', ordered = false } = conformanceCase;
  const endpoint = new CaseEndpoint();
  await endpoint.open({ ordered }, { protocol: 'sse', format });
  await subscribe(conformanceCase, endpoint);
  if (!existsSync(join(folder, 'expected.xml'))) return;
  const expected = readDocumentFile(folder, 'expected.xml');
  const contents = (await endpoint.items()).map(({ content }) => (isOfSse(content) ? content : fail('The item is none of SSE.')));
  compare(sseMeaningOf(new ItemSet({ ...expected, items: contents }, ordered)), sseMeaningOf(new ItemSet(expected, ordered)));
}

function isOfSse(content: ItemContent): content is SseContent {
  return 'version' in content.sync;
}

function expectedItems({ folder, ...conformanceCase }: CaseOf<SseOperation>): ItemSet {
  return new ItemSet(readDocumentFile(folder, 'expected.xml'), 'ordered' in conformanceCase && conformanceCase.ordered);
}
