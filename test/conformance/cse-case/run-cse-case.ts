import { finish } from '#core';
import { deepStrictEqual } from 'node:assert/strict';
import { earliestDate, planFeed } from '#cse';
import type { Feed } from '#cse';
import type { CaseDocuments } from '../case-file/case-documents.ts';
import { checkCase } from '../check-case.ts';
import type { CaseOf, ExpectedViolation } from '../conformance-case.ts';
import { violationsIn, readCseDocument } from './cse-document.ts';
import type {
  CseOperation,
  ExpectedItem,
  PlanOperation,
  ReadOperation,
  SyncOperation,
} from './cse-operation.ts';
import { cseForms } from './cse-forms.ts';
import { mirrorTree } from './mirror-tree.ts';
import { publishTree } from './publish-tree.ts';
import { Publisher } from './publisher.ts';
import { TreeCache } from './tree-cache.ts';

const feedUrl = 'http://publisher.example/photos/feed.xml';

/**
 * Runs one case. Returns nothing; throws an AssertionError, or what the operation threw, if the case does
 * not pass.
 */
export async function runCseCase(conformanceCase: CaseOf<CseOperation>): Promise<void> {
  checkCase(conformanceCase, cseForms);
  const { documents } = conformanceCase;
  switch (conformanceCase.operation) {
    case 'validate':
      return compareViolations(documents, conformanceCase.expected.violations);
    case 'read':
      return compareReading(documents, conformanceCase);
    case 'plan':
      return comparePlan(documents, conformanceCase);
    case 'publish':
      return publishTree(documents, conformanceCase);
    case 'mirror':
      return mirrorTree(documents, conformanceCase);
    default:
      return synchronise(documents, conformanceCase);
  }
}

function compareViolations(documents: CaseDocuments, expected: readonly ExpectedViolation[]): void {
  const found = violationsIn(documents.text('input.xml'), feedUrl).toSorted(
    (a, b) => a.line - b.line || a.column - b.column,
  );
  deepStrictEqual(
    found.map(({ rule, severity, line, column }) => ({ rule, severity, line, column })),
    expected,
  );
}

function compareReading(documents: CaseDocuments, { url = feedUrl, expected }: ReadOperation): void {
  const { lastBuildDate, items } = readCseDocument(documents.text('input.xml'), url);
  deepStrictEqual(items, expected.items.map(completed));
  deepStrictEqual(lastBuildDate, expected.lastBuildDate ?? lastBuildDate);
}

function completed({
  id,
  lastBuildDate = earliestDate,
  hidden = false,
  links = [],
}: ExpectedItem): ExpectedItem {
  return {
    id,
    lastBuildDate,
    hidden,
    links: links.map(({ url, nestedFeed = false, onDemand = false }) => ({ url, nestedFeed, onDemand })),
  };
}

function comparePlan(documents: CaseDocuments, { expected }: PlanOperation): void {
  const read = (name: string): Feed => readCseDocument(documents.text(name), feedUrl);
  const cached = documents.has('cached.xml') ? read('cached.xml') : undefined;
  const { isNewer, download, dropped } = finish(planFeed(cached, read('fetched.xml')));
  const absolute = (paths: readonly string[]): string[] => paths.map((path) => new URL(path, feedUrl).href);
  deepStrictEqual(
    { isNewer, download: download.map(({ url }) => url), dropped: dropped.map(({ url }) => url) },
    { isNewer: expected.isNewer, download: absolute(expected.download), dropped: absolute(expected.dropped) },
  );
}

function synchronise(documents: CaseDocuments, { limits, rounds }: SyncOperation): void {
  const cache = new TreeCache(new Publisher(documents, rounds), limits);
  for (const [index, round] of rounds.entries()) {
    const { requested, holds, failures } = cache.synchronise(index + 1, round);
    const expected = { requested, holds, failures: {}, ...round.expected };
    deepStrictEqual({ round: index + 1, requested, holds, failures }, { round: index + 1, ...expected });
  }
}
