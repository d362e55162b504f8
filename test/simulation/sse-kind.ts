import { payloadFromFields } from '#xml';
import { deleteBranch, editItem } from '#items';
import { sseProtocol } from '#sse';
import type { RequestedPlacement } from '#items';
import type { SseContent } from '#sse';
import { itemId } from '#core';
import type { Dice } from './dice.ts';
import type { Kind } from './kind.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

/** Items of SSE: in RSS, with an order or without, or outlines in OPML. */
export function sseKind({
  format,
  ordered = format === 'opml',
}: {
  readonly format: 'rss' | 'opml';
  readonly ordered?: boolean;
}): Kind {
  return {
    protocol: 'sse',
    format,
    mediaType: format === 'rss' ? 'application/rss+xml' : 'text/x-opml',
    ids,

    settings: (dice) => ({
      ...(ordered && format === 'rss' && { ordered }),
      ...(dice.fraction() < 0.3 && { updatesKept: dice.below(4) }),
    }),

    async edit(ports, collection, id, label, dice) {
      const text = `${id} by ${label} ${dice.below(1000)}`;
      const payload = payloadFromFields(
        format,
        format === 'opml' ? { attributes: { text } } : { title: text, content: 'milk' },
      );
      const place = ordered && dice.fraction() < 0.7 ? { place: input(format, dice) } : {};
      const stored = (await ports.store.items.load(collection.key, [itemId(id)])).get(itemId(id));
      const kind = dice.fraction();
      if (stored === undefined)
        return editItem(ports, collection, itemId(id), {
          action: 'create',
          id: itemId(id),
          payload,
          ...place,
        });
      if (kind < 0.15)
        return editItem(ports, collection, itemId(id), {
          action: 'resolve',
          keep: dice.pick(['winner', { conflict: 0 }, { conflict: 1 }]),
        });
      if (stored.deleted)
        return editItem(ports, collection, itemId(id), { action: 'undelete', payload, ...place });
      if (kind < 0.25) return deleteBranch(ports, collection, itemId(id), { action: 'delete' });
      return editItem(ports, collection, itemId(id), {
        action: 'update',
        ...(kind < 0.6 && { payload }),
        ...place,
      });
    },

    essence: ({ content, position }) => ({ ...sseProtocol.json(content as SseContent), position }),
  };
}

function input(format: 'rss' | 'opml', dice: Dice): RequestedPlacement {
  const parent = dice.fraction() < 0.2 ? null : dice.pick(ids);
  const position = dice.below(4);
  if (format === 'rss') return { position };
  return { parent, ...(dice.fraction() < 0.6 && { position }) };
}
