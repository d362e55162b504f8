import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrange, compareSiblings, createItem, merge, placeAt, placeItems, updateItem } from '#sse';
import { itemId } from '#core';
import { runs } from '../feedsync/runs.ts';
import { asDocument, placed } from './placed-mesh.ts';
import type { PlacedItem } from './placed-mesh.ts';

/** An ordered collection of an endpoint that knows nothing but the order of documents. */
class PlainEndpoint {
  readonly items = new Map<string, PlacedItem>();

  read(document: readonly PlacedItem[]): void {
    for (const incoming of document)
      this.items.set(incoming.sync.id, merge(this.items.get(incoming.sync.id), incoming).item as PlacedItem);
    for (const [id, { position }] of placeItems(placed(this.items))) {
      const item = this.items.get(id);
      if (item !== undefined) this.items.set(id, { ...item, position });
    }
  }

  /** Puts an item before another, or last. */
  insert(id: string, before: string | undefined): void {
    const siblings = placed(this.items).sort(compareSiblings);
    const at = siblings.findIndex((sibling) => sibling.id === before);
    const key = placeAt(siblings, at < 0 ? siblings.length : at);
    this.items.set(
      id,
      createItem({
        id: itemId(id),
        data: id,
        when: '2005-05-21T09:43:33Z',
        by: 'A',
        position: { key },
      }) as PlacedItem,
    );
  }

  get order(): string[] {
    return arrange(placed(this.items)).map(({ item }) => item.id);
  }
}

/**
 * For each location, from before the first common item to behind the last one: what either endpoint puts
 * there.
 */
const insertions = fc
  .uniqueArray(
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', 'Z', '-'), minLength: 1, maxLength: 4 }),
    { minLength: 2, maxLength: 12 },
  )
  .map((ids) => Array.from({ length: Math.ceil(ids.length / 2) }, (_, at) => ids.slice(2 * at, 2 * at + 2)));

test(
  'what two endpoints put at the same location, shown by nothing but the order of their documents, is ' +
    'in ascending order of ids at both (3.2)',
  () => {
    fc.assert(
      fc.property(insertions, fc.boolean(), (locations, isFirstFirst) => {
        const common = locations.slice(1).map((_, at) => `common-${at}`);
        const origin = new PlainEndpoint();
        for (const id of common) origin.insert(id, undefined);
        const endpoints = [new PlainEndpoint(), new PlainEndpoint()] as const;
        for (const endpoint of endpoints) endpoint.read(asDocument(origin.items));
        for (const [at, ids] of locations.entries())
          for (const [who, id] of ids.entries()) endpoints[who]?.insert(id, common[at]);
        const [one, other] = isFirstFirst ? endpoints : endpoints.toReversed();
        const before = asDocument(one?.items ?? new Map());
        one?.read(asDocument(other?.items ?? new Map()));
        other?.read(before);
        const expected = locations.flatMap((ids, at) => [
          ...ids.toSorted(byCodePoint),
          ...common.slice(at, at + 1),
        ]);
        expect(endpoints.map(({ order }) => order)).toEqual([expected, expected]);
        for (const endpoint of endpoints) endpoint.read(asDocument(endpoints[0].items));
        expect(endpoints.map(({ order }) => order)).toEqual([expected, expected]);
      }),
      runs(200),
    );
  },
);

test(
  'what a plain endpoint puts between any two is there at every endpoint, even between two of the same ' +
    'location (3.2)',
  () => {
    fc.assert(
      fc.property(
        insertions,
        fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (locations, places, isUpdated) => {
          const endpoints = [new PlainEndpoint(), new PlainEndpoint()] as const;
          for (const [at, ids] of locations.entries())
            for (const [who, id] of ids.entries()) endpoints[who]?.insert(`${at}-${id}`, undefined);
          const [one, other] = endpoints;
          const before = [...one.items.values()];
          one.read([...other.items.values()]);
          other.read(before);
          expect(one.order).toEqual(other.order);
          const peer = new PlainEndpoint();
          peer.read(asDocument(one.items));
          // One of our own that knows nothing of it yet.
          const [first] = other.items.values();
          if (isUpdated && first !== undefined)
            other.items.set(
              first.sync.id,
              updateItem(first, { data: 'changed', by: 'B', when: '2005-05-22T09:43:33Z' }) as PlacedItem,
            );
          for (const [number, place] of places.entries()) {
            peer.insert(`new-${number}`, peer.order[place % (peer.order.length + 1)]);
            one.read(asDocument(peer.items));
          }
          other.read([...one.items.values()]);
          one.read([...other.items.values()]);
          expect([one.order, other.order]).toEqual([peer.order, peer.order]);
        },
      ),
      runs(200),
    );
  },
);

function byCodePoint(a: string, b: string): number {
  return compareSiblings({ id: itemId(a), position: {} }, { id: itemId(b), position: {} });
}
