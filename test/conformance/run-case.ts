import { feedsyncDialect } from '#feedsync';
import { deepStrictEqual, fail } from 'node:assert/strict';
import {
  cleanUpHistory,
  createItem,
  deleteItem,
  merge,
  resolveItem,
  undeleteItem,
  updateItem,
  writeItem,
} from '#feedsync';
import type { Item } from '#feedsync';
import { writeFeedEnd, writeFeedStart } from '#xml';
import type { FeedHead, Payload } from '#xml';
import { itemId } from '#core';
import { CaseEndpoint } from './case-endpoint.ts';
import { checkCase } from './check-case.ts';
import type { CaseDocuments } from './case-file/case-documents.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { feeds } from './feed-documents.ts';
import { compareViolations } from './compare-violations.ts';
import { expectRefusal } from './expect-refusal.ts';
import { feedsyncForms } from './feedsync-forms.ts';
import { incorporate } from './incorporate.ts';
import { compareFeeds } from './plain/plain-feed.ts';
import { publish } from './publish.ts';
import { publishedText } from './published-text.ts';
import { subscribe } from './subscribe.ts';
import type { SubscribeOperation } from './subscribe.ts';

type Items = Map<string, Item<Payload>>;

/** The feed that an operation comes to. */
interface Outcome {
  readonly head: FeedHead;
  readonly items: Items;
}

/** A case whose outcome is a set of items. */
type ItemsCase = Exclude<
  ConformanceCase,
  { operation: 'validate' | 'subscribe' | 'publish' | 'incorporate' }
>;

/**
 * Runs one case. Returns nothing; throws an AssertionError, or what the operation threw, if the case does
 * not pass.
 */
export async function runCase(conformanceCase: ConformanceCase): Promise<void> {
  checkCase(conformanceCase, feedsyncForms);
  const { documents, error } = conformanceCase;
  if (conformanceCase.operation === 'validate')
    return compareViolations(documents.text('input.xml'), conformanceCase.expected.violations);
  if (conformanceCase.operation === 'subscribe') return subscribeAndCompareItems(conformanceCase);
  if (conformanceCase.operation === 'publish') return publish(conformanceCase);
  if (conformanceCase.operation === 'incorporate') return incorporate(conformanceCase);
  if (error !== undefined) return expectRefusal(error, () => perform(conformanceCase));
  compareWithExpected(write(perform(conformanceCase)), documents);
}

async function subscribeAndCompareItems(
  conformanceCase: SubscribeOperation & { readonly documents: CaseDocuments },
): Promise<void> {
  const { documents } = conformanceCase;
  const endpoint = new CaseEndpoint();
  await endpoint.open();
  await subscribe(conformanceCase, endpoint);
  if (documents.has('expected.xml'))
    compareWithExpected(await publishedText(endpoint, 'complete'), documents);
}

function compareWithExpected(text: string, documents: CaseDocuments): void {
  compareFeeds(text, documents.text('expected.xml'));
}

function perform(conformanceCase: ItemsCase): Outcome {
  const { documents } = conformanceCase;
  switch (conformanceCase.operation) {
    case 'read':
      return readAndWriteAgain(documents, conformanceCase.expected?.sharing);
    case 'merge':
      return mergeAll(documents);
    case 'create': {
      const { id, when, by, noconflicts, deleted } = conformanceCase;
      return {
        head: feeds.named(documents, 'data.xml').head,
        items: byId([
          createItem({ id: itemId(id), when, by, noconflicts, deleted, data: newData(documents) }),
        ]),
      };
    }
    default:
      return edit(conformanceCase);
  }
}

function edit(conformanceCase: Exclude<ItemsCase, { operation: 'read' | 'create' | 'merge' }>): Outcome {
  const { documents, id } = conformanceCase;
  const { head, items } = readOutcome(documents, 'local.xml');
  const local = items.get(id);
  if (local === undefined) throw new Error(`local.xml has no item ${id}.`);
  return { head, items: items.set(id, editItem(conformanceCase, local)) };
}

function editItem(conformanceCase: Parameters<typeof edit>[0], local: Item<Payload>): Item<Payload> {
  const { documents } = conformanceCase;
  if (conformanceCase.operation === 'clean-up') return { ...local, sync: cleanUpHistory(local.sync) };
  const { when, by } = conformanceCase;
  switch (conformanceCase.operation) {
    case 'update':
      return updateItem(local, { data: newData(documents), when, by });
    case 'delete':
      return deleteItem(local, {
        when,
        by,
        ...(conformanceCase.removeData === true && { data: { ...local.data, children: [] } }),
      });
    case 'undelete':
      return undeleteItem(local, { when, by, data: newDataIfGiven(documents) });
    default: {
      const { keep, conflicts } = conformanceCase;
      return resolveItem(local, { keep, conflicts, when, by, data: newDataIfGiven(documents) });
    }
  }
}

/** Every item of every incoming feed, one after the other: what one feed repeats merges too. */
function mergeAll(documents: CaseDocuments): Outcome {
  const { head, items } = readOutcome(documents, 'local.xml');
  for (const incoming of feeds.incoming(documents).flatMap((feed) => feed.items)) {
    items.set(incoming.sync.id, merge(items.get(incoming.sync.id), incoming).item);
  }
  return { head, items };
}

/** What was written is read once more, so that it is compared as another endpoint would republish it. */
function readAndWriteAgain(documents: CaseDocuments, sharing: object | undefined): Outcome {
  const outcome = readOutcome(documents, 'input.xml');
  if (sharing !== undefined) deepStrictEqual(outcome.head.sharing, sharing);
  const { head, items } = feeds.text(write(outcome));
  return { head, items: byId(items) };
}

function write({ head, items }: Outcome): string {
  return [
    writeFeedStart(head, feedsyncDialect),
    ...[...items.values()].map((item) => writeItem(item)),
    writeFeedEnd(head.format),
  ].join('');
}

function readOutcome(documents: CaseDocuments, name: string): Outcome {
  const { head, items } = feeds.named(documents, name);
  return { head, items: byId(items) };
}

function byId(items: readonly Item<Payload>[]): Items {
  return new Map(items.map((item) => [item.sync.id, item]));
}

function newData(documents: CaseDocuments): Payload {
  return newDataIfGiven(documents) ?? fail('data.xml holds no item');
}

function newDataIfGiven(documents: CaseDocuments): Payload | undefined {
  return documents.has('data.xml') ? feeds.named(documents, 'data.xml').plain[0] : undefined;
}
