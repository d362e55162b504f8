import { describe, expect, test } from '@jest/globals';
import { CseItemsReader } from '#cse';
import { collectionKey } from '#core';
import type { TreeContent, TreeDocument } from '#core';
import { feedIdOf } from './feed-id.ts';
import { decideTreeItem } from './decide-tree-item.ts';
import type { TreeItemDecision, TreeItemInput } from './decide-tree-item.ts';

const root = 'http://site.example/root.xml';
const date = '2026-01-02T00:00:00Z';
const digestOf = (url: string): string => Buffer.from(url).toString('hex');

/** An item of 2 January with these links, in the namespaces of its feed. */
function parsed(links: string, { title = 'One', attributes = '', declared = '', day = '02' } = {}) {
  const xml =
    `<item\n xmlns:csx="http://schemas.microsoft.com/rss/2007/contentsyncextensions"${declared}` +
    `${attributes}><guid>1</guid><title>${title}</title><csx:lastBuildDate>${day} Jan 2026 00:00:00 GMT` +
    `</csx:lastBuildDate>${links}</item>`;
  return new CseItemsReader(root).read({ xml, line: 1, column: 1 });
}

function document(name: string, lastBuildDate = date, isFeed = false): [string, TreeDocument] {
  const url = `http://site.example/${name}`;
  return [
    url,
    {
      collection: collectionKey('mirror'),
      url,
      isFeed,
      onDemand: false,
      isRequested: false,
      lastBuildDate,
      copy: { lastBuildDate, digest: digestOf(url), length: 3, type: 'image/jpeg', base: url, isFeed },
    },
  ];
}

const link = (url: string, attributes = ''): string => `<csx:link${attributes}>${url}</csx:link>`;
const onDemand = ' onDemand="true"';
const nestedFeed = ' nestedFeed="true"';

function decide(
  links: string,
  documents: [string, TreeDocument][],
  more: Partial<TreeItemInput> = {},
): TreeItemDecision {
  return decideTreeItem({
    parsed: parsed(links),
    feed: 'root',
    root,
    documents: new Map(documents),
    when: date,
    key: 'V',
    ...more,
  });
}

function changed(decision: TreeItemDecision): TreeContent {
  if (decision.kind !== 'changed') throw new Error(`The item is ${decision.kind}.`);
  return decision.content;
}

const targets = (decision: TreeItemDecision) => changed(decision).links.map(({ target }) => target);
const target = (name: string) => ({
  file: digestOf(`http://site.example/${name}`),
  name: name.split('/').at(-1),
  length: 3,
  type: 'image/jpeg',
});

describe('an item that is new', () => {
  test('is taken once each of its files has a copy that is in step with it, and pins them', () => {
    const links = `<p>${link('photos/a.jpg')}</p>${link('b.jpg')}`;
    expect(decide(links, []).kind).toBe('incomplete');
    expect(decide(links, [document('photos/a.jpg')]).kind).toBe('incomplete');
    expect(decide(links, [document('photos/a.jpg'), document('b.jpg', '2026-01-01T00:00:00Z')]).kind).toBe(
      'incomplete',
    );
    const finalized = decide(links, [document('photos/a.jpg'), document('b.jpg', '2026-03-01T00:00:00Z')]);
    expect(targets(finalized)).toEqual([target('photos/a.jpg'), target('b.jpg')]);
    expect(changed(finalized)).toMatchObject({
      feed: 'root',
      guid: '1',
      hidden: false,
      deleted: false,
      version: 1,
      when: date,
      position: { parent: 'root', key: 'V' },
    });
  });

  test('is taken without what is on demand, and leads to a copy where there is one, however old', () => {
    const links = link('a.jpg', onDemand) + link('b.jpg', onDemand);
    expect(targets(decide(links, [document('b.jpg', '1601-01-01T00:00:00Z')]))).toEqual([
      undefined,
      target('b.jpg'),
    ]);
  });

  test('waits for a nested feed to be there as a feed, and for nothing beside it', () => {
    const links = link('sub.xml', nestedFeed) + link('a.jpg');
    expect(decide(links, [document('sub.xml')]).kind).toBe('incomplete');
    const feed = feedIdOf('http://site.example/sub.xml', root);
    expect(targets(decide(links, [document('sub.xml', date, true)]))).toEqual([{ feed }, undefined]);
    expect(targets(decide(links, [document('sub.xml', date, true), document('a.jpg')]))).toEqual([
      { feed },
      undefined,
    ]);
  });

  test("leads nowhere of ours with two nested feeds, which is the publisher's error", () => {
    const links = link('a.xml', nestedFeed) + link('b.xml', nestedFeed);
    expect(targets(decide(links, [document('a.xml', date, true), document('b.xml', date, true)]))).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('says of each link where its URL stands, and what that is', () => {
    const { data, links } = changed(decide(`<p>${link('a.jpg')}</p>`, [document('a.jpg')]));
    const [only] = links;
    expect(only).toMatchObject({ url: 'http://site.example/a.jpg', nestedFeed: false, onDemand: false });
    expect(data.children[only?.place.child ?? -1]?.xml.slice(only?.place.start, only?.place.end)).toBe(
      'a.jpg',
    );
  });
});

describe('an item that is stored', () => {
  const stored = changed(decide(link('a.jpg'), [document('a.jpg')]));
  const again = (input: Partial<TreeItemInput>, documents = [document('a.jpg')]) =>
    decide(link('a.jpg'), documents, {
      local: stored,
      key: undefined,
      when: '2026-05-05T00:00:00Z',
      ...input,
    });

  test('is unchanged where it says the same, whatever its feed declares and whenever that is seen', () => {
    expect(again({}).kind).toBe('unchanged');
    expect(again({ local: JSON.parse(JSON.stringify(stored)) as TreeContent }).kind).toBe('unchanged');
    expect(again({ parsed: parsed(link('a.jpg'), { declared: ' xmlns:zz9="urn:unused"' }) }).kind).toBe(
      'unchanged',
    );
  });

  test('gets the next version where its text, its mark, its file or its place is another', () => {
    const [url, other] = document('a.jpg');
    const newFile: [string, TreeDocument] = [
      url,
      { ...other, ...(other.copy && { copy: { ...other.copy, digest: 'f'.repeat(64) } }) },
    ];
    const changes = [
      again({ parsed: parsed(link('a.jpg'), { title: 'Two' }) }),
      again({ parsed: parsed(link('a.jpg'), { attributes: ' csx:hiddenItem="true"' }) }),
      again({}, [newFile]),
      again({ key: 'W' }),
    ];
    expect(changes.map((decision) => changed(decision).version)).toEqual([2, 2, 2, 2]);
    expect(changed(again({ key: 'W' })).position).toEqual({ parent: 'root', key: 'W' });
    expect(changed(again({}, [newFile])).position).toEqual({ parent: 'root', key: 'V' });
  });

  test(
    'is another one with a new date only where a link leads to the source, whose document that date is ' +
      'for too',
    () => {
      expect(
        again({ parsed: parsed(link('a.jpg'), { day: '03' }) }, [document('a.jpg', '2026-01-03T00:00:00Z')])
          .kind,
      ).toBe('unchanged');
      const elsewhere = link('film.mp4', onDemand);
      const local = changed(decide(elsewhere, []));
      expect(again({ local, parsed: parsed(elsewhere) }).kind).toBe('unchanged');
      expect(again({ local, parsed: parsed(elsewhere, { day: '03' }) }).kind).toBe('changed');
      const nested = link('sub.xml', nestedFeed) + link('beside.jpg');
      const feed = document('sub.xml', '2026-01-03T00:00:00Z', true);
      expect(
        again({ local: changed(decide(nested, [feed])), parsed: parsed(nested, { day: '03' }) }, [feed]).kind,
      ).toBe('unchanged');
    },
  );

  test('comes back where it was deleted', () => {
    expect(
      changed(again({ local: { ...stored, deleted: true, version: 5, links: [] }, key: 'X' })),
    ).toMatchObject({ deleted: false, version: 6 });
  });

  test('stays as it was while a file of its newer text is missing', () => {
    expect(again({ parsed: parsed(link('a.jpg') + link('b.jpg')) }).kind).toBe('incomplete');
  });
});
