import { describe, expect, test } from '@jest/globals';
import { FeedScanner, describeFeed, writeFeedEnd, writeFeedStart } from '#xml';
import type { FeedHead, Format, Fragment } from '#xml';
import type { Edit } from '#protocol';
import type { SharingProtocol } from '#protocol';
import { collectionKey, finish, itemId } from '#core';
import type { Collection, SharedContent } from '#core';
import { describeProtocol, editor, settings, titled } from './protocol.acceptance.ts';

const publicUrl = 'http://here.example';

/** What the services rely on with protocols whose items have versions to merge. */
export function describeSharingProtocol(name: string, protocol: SharingProtocol): void {
  describeProtocol(name, protocol);

  describe.each(protocol.formats)(`${name} in %s`, (format) => {
    const first = edited(
      undefined,
      { action: 'create', id: itemId('a'), payload: titled(format, 'Milk') },
      'test:here',
      1,
    );
    const second = edited(first, { action: 'update', payload: titled(format, 'Butter') }, 'test:there', 2);
    const [ours, theirs] = [
      edited(second, { action: 'update', payload: titled(format, 'Bread') }, 'test:here', 3),
      edited(second, { action: 'delete' }, 'test:there', 4),
    ];

    function edited(
      content: SharedContent | undefined,
      edit: Edit,
      by: string,
      second: number,
    ): SharedContent {
      return protocol.edit(content, edit, editor(by, second), settings);
    }

    function merged(local: SharedContent | undefined, incoming: SharedContent): SharedContent {
      return protocol.merge(local, incoming).content;
    }

    /** What a subscriber reads of an item in our feed. */
    function received(content: SharedContent): SharedContent {
      const fragments = scan(protocol, format, protocol.write(content, publisher));
      const reading = finish(protocol.read(fragments[0] ?? { xml: '', line: 0, column: 0 }));
      if (fragments.length !== 1 || reading.kind !== 'item') throw new Error(`read as ${reading.kind}`);
      return protocol.adapt(reading.item, collection(format));
    }

    /** Items as they stand in a feed. */
    function fragmentsOf(...contents: readonly SharedContent[]): Fragment[] {
      return scan(protocol, format, contents.map((content) => protocol.write(content, publisher)).join('\n'));
    }

    test('feeds merge into one: each item once, in the version that a merge of both has', () => {
      const feed = protocol.mergeFeeds();
      const taken = (contents: readonly SharedContent[]): unknown[] =>
        fragmentsOf(...contents).map((fragment) => feed.take(fragment)?.kind);
      expect(taken([first])).toEqual(['new']);
      feed.end(headOf(format));
      expect(taken([first])).toEqual(['unchanged']);
      feed.end(headOf(format));
      expect(taken([first, second])).toEqual(['unchanged', undefined]);
      expect(feed.end(headOf(format))).toEqual([{ kind: 'changed' }]);
      expect(feed.items.map((item) => protocol.summary(item).version)).toEqual([
        protocol.summary(second).version,
      ]);
      const written = scan(protocol, format, [...feed.write(headOf(format))].join(''));
      expect(written.map((fragment) => finish(protocol.read(fragment)).kind)).toEqual(['item']);
    });

    test('examining a feed finds an id that two items have, and nothing else', () => {
      const examination = protocol.examineItems();
      const found = fragmentsOf(first, second).map((fragment) => examination.examine(fragment));
      expect(found.map(({ isSynced }) => isSynced)).toEqual([true, true]);
      expect(found.map(({ violations }) => violations.length)).toEqual([0, 1]);
      expect(found[1]?.violations[0]?.message).toContain('the id "a" is also that of the item in line');
    });

    test.each([
      ['a new one', first],
      ['one with a history', second],
      ['a tombstone', theirs],
      ['one with a conflict, if there are any', merged(ours, theirs)],
    ])('a subscriber reads an item as it was written: %s', (_what, content) => {
      const known = merged(content, received(content));
      expect(protocol.merge(known, received(content)).changed).toBe(false);
      // Where it stands among others only its document says.
      const { position: _position, ...summary } = protocol.summary(known);
      expect(summary).toEqual(protocol.summary(content));
    });

    test('takes an item that is not here, and what is here already changes nothing', () => {
      expect(protocol.merge(undefined, first)).toEqual({ content: first, changed: true });
      expect(protocol.merge(first, first).changed).toBe(false);
      expect(protocol.merge(second, first).changed).toBe(false);
      expect(protocol.summary(merged(first, second))).toEqual(protocol.summary(second));
    });

    test('merges to the same result at every endpoint, in any order of arrival', () => {
      const [here, there] = [merged(ours, theirs), merged(theirs, ours)];
      expect(protocol.summary(here)).toEqual(protocol.summary(there));
      expect(merged(here, there)).toEqual(here);
      expect(protocol.summary(merged(merged(undefined, theirs), ours))).toEqual(protocol.summary(here));
      expect(protocol.merge(here, ours).changed).toBe(false);
      expect(protocol.merge(here, theirs).changed).toBe(false);
    });

    test('knows what an endpoint signed, the latest version first', () => {
      expect(protocol.isSignedBy(ours, 'test:here')).toBe(true);
      expect(protocol.isSignedBy(ours, 'test:elsewhere')).toBe(false);
      const { updates } = protocol.summary(ours).version;
      expect(protocol.signatures(ours, 'test:here')[0]).toMatchObject({ sequence: updates });
      expect(protocol.signatures(ours, 'test:elsewhere')).toEqual([]);
    });

    test('says of a version who made it, and when', () => {
      const { by, when } = editor('test:there', 2);
      expect(protocol.summary(second).version).toEqual({
        updates: 2,
        history: { sequence: 2, by, when },
      });
    });

    test('keeps an incoming item in the format of the collection', () => {
      const adapted = protocol.adapt(second, collection(format));
      expect(protocol.summary(adapted)).toMatchObject({ id: 'a', deleted: false });
      expect(adapted.data.format).toBe(format);
    });

    test('composes a feed whose head its own scanner reads, with the items after `since`', () => {
      const request = { variant: 'complete', format, subscriptions: [], publicUrl, now: at(20) } as const;
      const { head, since } = protocol.composeFeed(collection(format), request);
      expect(since).toBe(0);
      const scanner = new FeedScanner(protocol.dialect);
      const items = scanner.write(`${writeFeedStart(head, protocol.dialect)}${writeFeedEnd(format)}`);
      expect([items, scanner.end()]).toMatchObject([[], { title: 'To do', violations: [] }]);
    });

    test('plans to read nothing else after a feed that it read to its end before', () => {
      const request = { variant: 'partial', format, subscriptions: [], publicUrl, now: at(20) } as const;
      const { head } = protocol.composeFeed(collection(format), request);
      const until = head.sharing?.until;
      const progress = { cursor: { digest: 'read', ...(until !== undefined && { until }) } };
      expect(protocol.planFeed(progress, 'http://there.example/feed', head)).toEqual({ outOfSync: false });
    });
  });

  const publisher = { id: 'urn:a', updated: '2026-01-01T10:00:00Z', author: 'Here' };

  function collection(format: Format): Collection {
    return {
      key: collectionKey('todo'),
      protocol: name,
      format,
      title: 'To do',
      endpoint: 'test:here',
      settings,
      publication: { sequence: 7, since: 0, relayed: 7, updatedAt: at(10) },
      createdAt: at(0),
    };
  }
}

function at(second: number): Date {
  return new Date(Date.UTC(2026, 0, 1, 10, 0, second));
}

/** The items that the scanner cuts out of a feed with this one. */
function scan({ dialect }: SharingProtocol, format: Format, items: string): Fragment[] {
  const scanner = new FeedScanner(dialect);
  const fragments = scanner.write(
    `${writeFeedStart(headOf(format), dialect)}${items}${writeFeedEnd(format)}`,
  );
  scanner.end();
  return fragments;
}

function headOf(format: Format): FeedHead {
  const origin = { title: 'To do', id: 'urn:feed', selfUrl: 'http://there.example/feed', author: 'To do' };
  return describeFeed({ format, ...origin, updated: '2026-01-01T10:00:00Z' });
}
