import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createItem, merge, resolveItem, updateItem } from '#feedsync';
import type { Item } from '#feedsync';
import { FeedScanner, readItem, writeFeedEnd, writeFeedStart, writeItem } from '#feed-xml';
import type { FeedHead, Payload } from '#feed-xml';

type Case = { section: string; title: string } & (
  | { operation: 'read'; expected: { sharing: object } }
  | { operation: 'create'; id: string; when: string; by: string }
  | { operation: 'update'; id: string; when: string; by: string }
  | { operation: 'merge' }
  | { operation: 'resolve'; id: string; when: string; by: string; keep: 'winner' | { conflict: number } }
);

const root = join(import.meta.dirname, 'feedsync');
const ownedByPublisher = new Set(['id', 'updated', 'author']);

for (const section of readdirSync(root).toSorted()) {
  describe(`FeedSync ${section}`, () => {
    for (const name of readdirSync(join(root, section)).toSorted()) {
      const folder = join(root, section, name);
      const conformanceCase = JSON.parse(readFileSync(join(folder, 'case.json'), 'utf8')) as Case;
      test(`${name}: ${conformanceCase.title}`, () => {
        expect(meaning(run(folder, conformanceCase))).toEqual(meaning(readFeed(folder, 'expected.xml').items));
      });
    }
  });
}

function run(folder: string, conformanceCase: Case): Map<string, Item<Payload>> {
  if (conformanceCase.operation === 'read') return readAndWriteAgain(folder, conformanceCase.expected.sharing);
  const local = conformanceCase.operation === 'create' ? new Map<string, Item<Payload>>() : readFeed(folder, 'local.xml').items;
  if (conformanceCase.operation === 'merge') {
    for (const [id, incoming] of readFeed(folder, 'incoming.xml').items) local.set(id, merge(local.get(id), incoming).item);
    return local;
  }
  const { id, when, by } = conformanceCase;
  return local.set(id, edit(folder, conformanceCase, local.get(id), { when, by }));
}

function edit(folder: string, conformanceCase: Exclude<Case, { operation: 'read' | 'merge' }>, local: Item<Payload> | undefined, editor: { when: string; by: string }): Item<Payload> {
  if (conformanceCase.operation === 'create') return createItem({ id: conformanceCase.id, data: newData(folder), ...editor });
  if (local === undefined) throw new Error(`${folder} has no item ${conformanceCase.id}.`);
  if (conformanceCase.operation === 'update') return updateItem(local, { data: newData(folder), ...editor });
  return resolveItem(local, { keep: conformanceCase.keep, ...editor });
}

function readAndWriteAgain(folder: string, sharing: object): Map<string, Item<Payload>> {
  const { head, items } = readFeed(folder, 'input.xml');
  expect(head.sharing).toEqual(sharing);
  const written = [writeFeedStart(head), ...[...items.values()].map((item) => writeItem(item)), writeFeedEnd(head.format)].join('');
  return readText(written).items;
}

function newData(folder: string): Payload {
  const [payload] = readFeed(folder, 'data.xml').plain;
  if (payload === undefined) throw new Error(`${folder}/data.xml holds no item.`);
  return payload;
}

interface ReadFeed {
  head: FeedHead;
  items: Map<string, Item<Payload>>;
  plain: Payload[];
}

function readFeed(folder: string, file: string): ReadFeed {
  return readText(readFileSync(join(folder, file), 'utf8'));
}

function readText(text: string): ReadFeed {
  const scanner = new FeedScanner();
  const items = new Map<string, Item<Payload>>();
  const plain: Payload[] = [];
  for (const fragment of scanner.write(text)) {
    const reading = readItem(fragment);
    if (reading.kind === 'rejected') throw new Error(JSON.stringify(reading.breaches));
    if (reading.kind === 'plain') plain.push(reading.payload);
    else items.set(reading.item.sync.id, reading.item);
  }
  return { head: scanner.end(), items, plain };
}

function meaning(items: Map<string, Item<Payload>>): unknown {
  return [...items.values()].toSorted((a, b) => (a.sync.id < b.sync.id ? -1 : 1)).map(itemMeaning);
}

function itemMeaning({ sync, data, conflicts }: Item<Payload>): object {
  const children = data.children.filter(({ name }) => !ownedByPublisher.has(name)).map(({ namespace, name, xml }) => [namespace, name, xml.replaceAll(/ xmlns(:\w+)?="[^"]*"/g, '')]);
  const conflictSet = conflicts.map(itemMeaning).map((conflict) => JSON.stringify(conflict)).toSorted();
  const { id, updates, deleted, noconflicts, history } = sync;
  return { id, updates, deleted, noconflicts, history: history.map(({ sequence, when, by }) => ({ sequence, when, by })), children, conflictSet };
}
