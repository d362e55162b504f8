import { expect, test } from '@jest/globals';
import type { FeedHead, Fragment, Violation } from '#xml';
import type { Adoption } from '#protocol';
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
    violations: [],
  }),
};

function plainItems({ limit = 20, always = false } = {}): PlainItems {
  return new PlainItems({ adoption, endpoint: 'urn:feed', always, limit });
}

const names = (fragments: readonly Fragment[]): string[] => fragments.map(({ xml }) => xml.trim());

/** The items that are held to the end of a document, and whether they are adopted. */
function ended(items: PlainItems, head: FeedHead): readonly [items: string, isAdopted: boolean] {
  const { items: held, isAdopted } = items.end(head);
  return [names(held).join(' '), isAdopted];
}

test('the items of a plain feed are held, up to the limit, to be adopted at its end', () => {
  const items = plainItems();
  expect(items.take([item('a'), item('twice')])).toEqual([]);
  expect(items.hasSynchronised).toBe(false);
  expect(ended(items, plainFeed)).toEqual(['a twice', true]);
  expect(ended(items, plainFeed)).toEqual(['', true]);
});

test('an item that does not fit is refused, and a shorter one behind it is held', () => {
  const items = plainItems({ limit: 25 });
  const [refused, ...others] = items.take([
    item('a'),
    { ...item('b'.repeat(16)), line: 7 },
    item('c'),
    { ...item(''), xml: 'short' },
  ]);
  expect(others).toEqual([]);
  expect(refused).toMatchObject({
    xml: '',
    line: 7,
    refusal: {
      violation: { rule: 'limit-adopted-length', severity: 'error', line: 7 },
      digest: expect.stringMatching(/^[\w-]{43}$/),
    },
  });
  expect(refused?.refusal?.violation.message).toContain(
    '25 characters; this one is left out (FETCH_ADOPTED_LENGTH)',
  );
  expect(ended(items, plainFeed)).toEqual(['a c short', true]);
});

test('an item that passed a limit is handed on at once, and shows that there are items', () => {
  const items = plainItems();
  const refused = { ...item(''), refusal: { violation: {} as Violation, digest: 'd' } };
  expect(items.take([refused])).toEqual([refused]);
  expect(items.hasItems()).toBe(true);
  items.restart();
  expect(items.hasItems()).toBe(false);
});

test('a feed that says it is synchronised has its plain items as they are, unless they are wanted', () => {
  const [items, wanted] = [plainItems(), plainItems({ always: true })];
  for (const each of [items, wanted]) {
    expect(names(each.take([item('a'), synchronised]))).toEqual(['s']);
    expect(each.hasSynchronised).toBe(true);
  }
  expect(ended(items, synchronisedFeed)).toEqual(['a', false]);
  expect(ended(wanted, synchronisedFeed)).toEqual(['a', true]);
});

test('too many plain items of a feed with others are handed on, in their order, and held no more', () => {
  const items = plainItems();
  expect(names(items.take([synchronised, item('a'), item('b')]))).toEqual(['s']);
  expect(names(items.take([item('c')]))).toEqual(['a', 'b', 'c']);
  expect(names(items.take([item('d'), synchronised]))).toEqual(['d', 's']);
  expect(items.hasItems()).toBe(true);
  expect(ended(items, plainFeed)).toEqual(['', false]);
});

test('those that do not fit are refused if they are wanted', () => {
  const items = plainItems({ always: true });
  items.take([synchronised, item('a'), item('b')]);
  expect(items.take([item('c')])[0]?.refusal?.violation.rule).toBe('limit-adopted-length');
  expect(ended(items, plainFeed)).toEqual(['a b', true]);
});

test('whether there are items shows by the first ones, unless they are long', () => {
  const [items, none, doubtful, long] = Array.from({ length: 4 }, () => plainItems({ limit: 50_000 }));
  items?.take([item('twice'), item('a')]);
  doubtful?.take([item('twice')]);
  long?.take([{ ...item('twice'), xml: 'twice'.repeat(5000) }]);
  expect([items, none, doubtful, long].map((each) => each?.hasItems())).toEqual([true, false, false, true]);
});

test('a document that is read once more begins with nothing', () => {
  const items = plainItems();
  items.take([item('a'), item('b')]);
  items.restart();
  expect(items.take([item('c'), item('d')])).toEqual([]);
  expect(ended(items, plainFeed)).toEqual(['c d', true]);
});
