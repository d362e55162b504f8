import { describe, expect, test } from '@jest/globals';
import { FeedScanner, describeFeed, writeFeedEnd, writeFeedStart } from '#xml';
import type { Format } from '#xml';
import type { Edit } from '#protocol';
import type { SharingProtocol } from '#protocol';
import { collectionKey, itemId } from '#core';
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
      const reading = protocol.read(fragments[0] ?? { xml: '', line: 0, column: 0 });
      if (fragments.length !== 1 || reading.kind !== 'item') throw new Error(`read as ${reading.kind}`);
      return protocol.adapt(reading.item, collection(format));
    }

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

    test('merges to the same whoever merges, and whatever arrives first', () => {
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
      const progress = { cursor: { ...(until !== undefined && { until }) }, cursorVersion: 1 };
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
function scan({ dialect }: SharingProtocol, format: Format, item: string) {
  const origin = { title: 'To do', id: 'urn:feed', selfUrl: 'http://there.example/feed', author: 'To do' };
  const head = describeFeed({ format, ...origin, updated: '2026-01-01T10:00:00Z' });
  const scanner = new FeedScanner(dialect);
  const fragments = scanner.write(`${writeFeedStart(head, dialect)}${item}${writeFeedEnd(format)}`);
  scanner.end();
  return fragments;
}
