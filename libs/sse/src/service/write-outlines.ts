import { openOutline, outlineEnd } from '#xml';
import type { Placed } from '#core';
import { arrange } from '../engine/arrange.ts';
import type { Branch } from '../engine/arrange.ts';
import { writeSseItem } from '../xml/item-writing.ts';
import type { SseContent } from './sse-content.ts';

interface PlacedItem extends Placed {
  readonly item: SseContent;
}

/** Outlines as they stand in the body of a document, one a line, nested and in order. */
export function* writeOutlines(items: readonly SseContent[]): Iterable<string> {
  const placed = items.map((item) => ({ id: item.sync.id, position: item.position ?? {}, item }));
  const open: (Branch<PlacedItem> | typeof outlineEnd)[] = arrange(placed).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === outlineEnd) yield `${outlineEnd}\n`;
    else {
      yield `${openOutline(writeSseItem(next.item.item))}\n`;
      open.push(outlineEnd);
      for (const child of next.children.toReversed()) open.push(child);
    }
  }
}
