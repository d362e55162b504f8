import type { PreviewView } from '#contracts';
import type { ItemJson } from '#protocol';

/** How long a text is at most, in UTF-16 code units, and how many values a list has. */
const textLength = 10_000;
const listLength = 100;

type PreviewedItem = PreviewView['items'][number];

/** What stands beside the values of an item: its XML, its histories, and other versions. */
const leftOut: ReadonlySet<string> = new Set(['payload', 'sync', 'conflicts', 'parent', 'position']);

/** The item as a preview shows it: its values, long ones cut. */
export function previewItem(item: ItemJson): PreviewedItem {
  const values = Object.entries(item).filter(([name]) => !leftOut.has(name));
  return cut(Object.fromEntries(values)) as PreviewedItem;
}

/** A value of JSON with its texts cut, and a `…` where they were. */
function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > textLength
      ? `${value.slice(0, textLength).replace(/[\uD800-\uDBFF]$/, '')}…`
      : value;
  if (Array.isArray(value)) return value.slice(0, listLength).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, listLength)
      .map(([name, one]) => [name, cut(one)]),
  );
}
