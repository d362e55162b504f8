import { finish, itemId } from '#core';
import type { Placed } from '#core';
import { sharingProtocolOf } from '#protocols';
import { arrange, keysInOrder, placeItems } from '#sse';
import { FeedScanner, readOutlineDocument, writeOutlineDocument } from '#xml';
import type { GrowthCase } from '../growth-case.ts';

const each = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => text(number)).join('');

/** Outlines, by how they are nested, and by what is large in them. */
const outlines: Readonly<Record<string, (size: number) => string>> = {
  'in a row': (size) => each(size, (n) => `<outline text="${n}"/>`),
  deep: (size) =>
    `${'<outline text="a">'.repeat(500)}${'</outline>'.repeat(500)}`.repeat(Math.ceil(size / 500)),
  'with attributes': (size) =>
    `<outline text="a"${each(200, (n) => ` a${n}="b"`)}/>`.repeat(Math.ceil(size / 200)),
  'of namespaces of their own': (size) => each(size, (n) => `<outline xmlns:p="urn:${n}" p:a="b" text="a"/>`),
};

const documentCases: readonly GrowthCase[] = Object.entries(outlines).map(([name, make]) => ({
  name: `outlines: ${name}`,
  covers: ['readOutlineDocument', 'writeOutlineDocument', 'FeedScanner'],
  limit: 150_000,
  from: 5000,
  prepare: (size) => {
    const xml = `<opml version="2.0"><body>${make(size)}</body></opml>`;
    const document = finish(readOutlineDocument(xml));
    return [
      ['readOutlineDocument', () => finish(readOutlineDocument(xml))],
      ['writeOutlineDocument', () => [...writeOutlineDocument(document)]],
      ['FeedScanner', () => new FeedScanner(sharingProtocolOf({ protocol: 'sse' }).dialect).write(xml)],
    ];
  },
}));

const id = (place: number) => itemId(`i${String(place).padStart(7, '0')}`);

/** Positions of outlines, by what they are; `outlines.spec.ts` measures those that must be sorted. */
const positions: Readonly<Record<string, (place: number, key: string) => Placed['position']>> = {
  'in a row': (_place, key) => ({ key }),
  'below one another': (place, key) => ({ key, ...(place % 900 > 0 && { parent: id(place - 1) }) }),
  'in circles': (place, key) => ({ key, parent: id(place % 32 === 31 ? place - 31 : place + 1) }),
  'after one another': (place) => ({ after: place === 0 ? '' : id(place - 1) }),
};

const placeCases: readonly GrowthCase[] = Object.entries(positions).map(([name, positionOf]) => ({
  name: `places of outlines: ${name}`,
  covers: [],
  limit: 150_000,
  from: 10_000,
  prepare: (size) => {
    const keys = finish(keysInOrder(size));
    const placed = keys.map((key, place): Placed => ({ id: id(place), position: positionOf(place, key) }));
    return [
      ['keysInOrder', () => finish(keysInOrder(size))],
      ['placeItems', () => placeItems(placed)],
      ['arrange', () => arrange(placed)],
    ];
  },
}));

export const outlineCases: readonly GrowthCase[] = [...documentCases, ...placeCases];
