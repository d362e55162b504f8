import { expect, test } from '@jest/globals';
import type { FeedHead, Fragment } from '#xml';
import type { Adoption } from '#protocol';
import { refusal } from '../../../libs/feedsync/src/xml/__fixtures__/reading.ts';
import { PlainItems } from './plain-items.ts';

const plainFeed: FeedHead = { format: 'rss', children: [], scope: { namespaces: [] }, violations: [] };
const synchronisedFeed: FeedHead = { ...plainFeed, sharing: {} as FeedHead['sharing'] };

/** An item of ten characters. */
function item(name: string): Fragment {
  return { xml: name.padEnd(10), line: 1, column: 1 };
}

const synchronised: Fragment = { ...item('s'), id: 's' };

/** Adopts all but an item `twice`. */
const adoption: Pick<Adoption, 'adopt'> = {
  adopt: (fragments) => ({
    adopted: fragments
      .filter(({ xml }) => !xml.startsWith('twice'))
      .map((fragment) => ({ ...fragment, id: fragment.xml.trim(), adopted: true, digest: '' })),
    left: fragments.filter(({ xml }) => xml.startsWith('twice')),
  }),
};

function plainItems({ limit = 20, always = false } = {}): PlainItems {
  return new PlainItems({ adoption, endpoint: 'urn:feed', always, limit });
}

const names = (fragments: readonly Fragment[]): string[] =>
  fragments.map(({ xml, adopted }) => xml.trim() + (adopted === true ? ' adopted' : ''));

test('the items of a plain feed are held, up to the limit, and adopted at its end', () => {
  const items = plainItems();
  expect(items.take([item('a'), item('twice')])).toEqual([]);
  expect(items.hasSynchronised).toBe(false);
  expect(names(items.end(plainFeed))).toEqual(['a adopted', 'twice']);
  expect(items.end(plainFeed)).toEqual([]);
});

test('one more than that is refused, by the name of the limit', () => {
  const items = plainItems();
  items.take([item('a'), item('b')]);
  const refused = refusal(() => items.take([{ ...item('c'), line: 7 }]));
  expect(refused).toMatchObject({ rule: 'limit-adopted-length', line: 7 });
  expect(refused.message).toContain('20 characters; a feed to be adopted is shorter (FETCH_ADOPTED_LENGTH)');
});

test('a feed that says it is synchronised has its plain items as they are, unless they are wanted', () => {
  const [items, wanted] = [plainItems(), plainItems({ always: true })];
  for (const each of [items, wanted]) {
    expect(names(each.take([item('a'), synchronised]))).toEqual(['s']);
    expect(each.hasSynchronised).toBe(true);
  }
  expect(names(items.end(synchronisedFeed))).toEqual(['a']);
  expect(names(wanted.end(synchronisedFeed))).toEqual(['a adopted']);
});

test('too many plain items of a feed with others are handed on, in their order, and held no more', () => {
  const items = plainItems();
  expect(names(items.take([synchronised, item('a'), item('b')]))).toEqual(['s']);
  expect(names(items.take([item('c')]))).toEqual(['a', 'b', 'c']);
  expect(names(items.take([item('d'), synchronised]))).toEqual(['d', 's']);
  expect(items.hasItems()).toBe(true);
  expect(items.end(plainFeed)).toEqual([]);
});

test('they are refused if they are wanted', () => {
  const items = plainItems({ always: true });
  items.take([synchronised, item('a'), item('b')]);
  expect(() => items.take([item('c')])).toThrow('FETCH_ADOPTED_LENGTH');
});

test('whether there are items shows by the first', () => {
  const [items, none, doubtful] = [plainItems(), plainItems(), plainItems()];
  items.take([item('a')]);
  doubtful.take([item('twice')]);
  expect([items, none, doubtful].map((each) => each.hasItems())).toEqual([true, false, false]);
});

test('a document that is read once more begins with nothing', () => {
  const items = plainItems();
  items.take([item('a'), item('b')]);
  items.restart();
  expect(items.take([item('c'), item('d')])).toEqual([]);
  expect(names(items.end(plainFeed))).toEqual(['c adopted', 'd adopted']);
});
