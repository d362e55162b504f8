import { describe, expect, test } from '@jest/globals';
import type { FeedSyncContent } from '#feedsync';
import { itemId, subscriptionId } from '#core';
import type { Source } from '#core';
import { retentionOf } from './retention.ts';

const peerId = subscriptionId('peer');

/** A version with these histories, the topmost first, each as `sequence by`. */
function version(history: readonly string[], conflicts: readonly FeedSyncContent[] = []): FeedSyncContent {
  return {
    sync: {
      id: itemId('a'),
      updates: history.length,
      deleted: false,
      history: history.map((text) => {
        const [sequence, by] = text.split(' ');
        return { sequence: Number(sequence), when: '2026-01-01T00:00:00Z', ...(by !== undefined && { by }) };
      }),
    },
    data: { format: 'atom', children: [], scope: { namespaces: {} } } as unknown as FeedSyncContent['data'],
    conflicts,
  };
}

const here = { protocol: 'feedsync', endpoint: 'here' } as const;
const peer: Source = { subscription: peerId, digest: 'd' };
const other: Source = { subscription: subscriptionId('other'), digest: 'd' };

describe('an item that its publisher no longer has', () => {
  test.each<
    [what: string, retention: string, history: readonly string[], conflicts: readonly (readonly string[])[]]
  >([
    ['made and updated by others', 'discarded', ['2 there', '1 there'], []],
    ['whose endpoints are not named', 'discarded', ['2', '1'], []],
    ['updated here once, and by others after that', 'discarded', ['3 there', '2 here', '1 there'], []],
    ['made by an endpoint whose name only begins like ours', 'discarded', ['1 here2'], []],
    ['made here', 'kept', ['2 there', '1 here'], []],
    ['last updated here', 'kept', ['2 here', '1 there'], []],
    [
      'whose history was cleaned up and may have begun here',
      'kept',
      ['4 there', '3 here', '2 elsewhere'],
      [],
    ],
    ['whose history was cleaned up and names others only', 'discarded', ['4 there', '2 elsewhere'], []],
    [
      'in conflict with a version of ours',
      'kept',
      ['2 there', '1 there'],
      [
        ['2 elsewhere', '1 there'],
        ['2 here', '1 there'],
      ],
    ],
    [
      'in conflict with versions of others',
      'discarded',
      ['2 there', '1 there'],
      [['2 elsewhere', '1 there']],
    ],
  ])('%s is %s', (_what, retention, history, conflicts) => {
    const content = version(
      history,
      conflicts.map((one) => version(one)),
    );
    expect(retentionOf({ content, sources: [peer], subscription: peerId }, here)).toBe(retention);
  });

  test('and that another subscription brings as well, is kept', () => {
    expect(
      retentionOf({ content: version(['1 there']), sources: [peer, other], subscription: peerId }, here),
    ).toBe('kept');
  });

  test.each([
    ['made here', ['2 there', '1 before']],
    ['last updated here', ['2 before', '1 there']],
  ])('and that was %s under a former endpoint identifier, is kept', (_what, history) => {
    const item = { content: version(history), sources: [peer], subscription: peerId };
    expect(retentionOf(item, { ...here, retiredEndpoints: ['before'] })).toBe('kept');
    expect(retentionOf(item, here)).toBe('discarded');
  });

  test('and whose last change was a local edit, is kept', () => {
    expect(retentionOf({ content: version(['1 there']), sources: [peer] }, here)).toBe('kept');
  });
});
