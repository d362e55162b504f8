import { payloadFromFields } from '#xml';
import type { Payload } from '#xml';
import { editItem } from '#items';
import type { FeedSyncContent } from '#feedsync';
import { itemId } from '#core';
import type { Kind } from './kind.ts';

/** Items of FeedSync in Atom. */
export const feedsyncKind: Kind = {
  protocol: 'feedsync',
  format: 'atom',
  mediaType: 'application/atom+xml',
  ids: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],

  settings: (dice) => ({ cleanUpHistory: dice.fraction() < 0.3 }),

  edit(ports, collection, id, label, dice) {
    const payload = payloadFromFields('atom', {
      title: `${id} by ${label} ${dice.below(1000)}`,
      content: 'milk',
    });
    const edits = [
      { action: 'create', id: itemId(id), payload },
      { action: 'update', payload },
      { action: 'update', payload },
      { action: 'delete' },
      { action: 'undelete', payload },
      { action: 'resolve', keep: 'winner' },
    ] as const;
    return editItem(ports, collection, itemId(id), dice.pick(edits));
  },

  essence({ content }) {
    const { sync, data, conflicts } = content as FeedSyncContent;
    return {
      ...version(sync),
      data: sharedData(data),
      conflicts: conflicts.map((conflict) => ({
        ...version(conflict.sync),
        data: sharedData(conflict.data),
      })),
    };
  },
};

/** What every endpoint must agree on (Implementation Notes, Note 1). */
function sharedData({ children }: Payload): string[] {
  return children.filter((child) => child.name === 'title' || child.name === 'content').map(({ xml }) => xml);
}

/**
 * A version by what decides: its number of updates and what is known of each endpoint (a cleaned-up history
 * says the same).
 */
function version({ id, updates, deleted, history }: FeedSyncContent['sync']) {
  const known = new Map<string, number>();
  for (const { by = '', sequence } of history) known.set(by, Math.max(known.get(by) ?? 0, sequence));
  return {
    id,
    updates,
    deleted,
    topmost: history[0],
    known: [...known].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}
