import { deepStrictEqual, fail } from 'node:assert/strict';
import type { Payload } from '#xml';
import { createItem, resolveItem, updateItem } from '#sse';
import type { Item } from '#sse';
import { itemId } from '#core';
import type { CaseDocuments } from '../case-file/case-documents.ts';
import type { CaseOf } from '../conformance-case.ts';
import { ItemSet } from './item-set.ts';
import { sseDocuments } from './sse-documents.ts';
import type { SseItemsOperation } from './sse-operation.ts';

type ItemsCase = CaseOf<SseItemsOperation>;

/** Performs an operation whose outcome is a set of items. */
export function performSseOperation(conformanceCase: ItemsCase): ItemSet {
  const { documents, ordered } = conformanceCase;
  if (conformanceCase.operation === 'read')
    return readAndWriteAgain(documents, ordered, conformanceCase.expected?.sharing);
  const name =
    documents.has('local.xml') || conformanceCase.operation !== 'create' ? 'local.xml' : 'data.xml';
  const set = new ItemSet(sseDocuments.named(documents, name), ordered);
  if (conformanceCase.operation === 'merge')
    for (const document of sseDocuments.incoming(documents)) set.merge(document);
  else if (conformanceCase.operation === 'detect-cycles') closeCycles(set, conformanceCase.parents);
  else set.set(edited(set, conformanceCase));
  return set;
}

function closeCycles(set: ItemSet, parents: Readonly<Record<string, string>>): void {
  for (const [id, parent] of Object.entries(parents)) {
    const item = set.get(id);
    set.set({ ...item, position: { ...item.position, parent } });
  }
  set.place();
}

function edited(
  set: ItemSet,
  conformanceCase: Exclude<ItemsCase, { operation: 'read' | 'merge' | 'detect-cycles' }>,
): Item<Payload> {
  const { documents, id, when, by, updatesKept } = conformanceCase;
  const data = newData(documents);
  const edit = { data, when, by, updatesKept };
  switch (conformanceCase.operation) {
    case 'create':
      return createItem({
        id: itemId(id),
        when,
        by,
        data: data ?? fail('data.xml holds no item'),
        deleted: conformanceCase.deleted,
        ...(set.isOrdered && { position: set.positionAt(id, conformanceCase) }),
      });
    case 'update':
      return updateItem(set.get(id), { ...edit, deleted: set.get(id).sync.deleted });
    case 'move':
      return updateItem(set.get(id), { ...edit, position: set.positionAt(id, conformanceCase) });
    case 'delete':
      return updateItem(set.get(id), { ...edit, deleted: true });
    case 'undelete':
      return updateItem(set.get(id), { ...edit, deleted: false });
    default:
      return resolveItem(set.get(id), { ...edit, keep: conformanceCase.keep });
  }
}

function newData(documents: CaseDocuments): Payload | undefined {
  return documents.has('data.xml') ? sseDocuments.named(documents, 'data.xml').plain[0] : undefined;
}

function readAndWriteAgain(
  documents: CaseDocuments,
  ordered: boolean | undefined,
  sharing: object | undefined,
): ItemSet {
  const document = sseDocuments.named(documents, 'input.xml');
  if (sharing !== undefined) deepStrictEqual(document.head.sharing, sharing);
  return new ItemSet(sseDocuments.text(new ItemSet(document, ordered).write()), ordered);
}
