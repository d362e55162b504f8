import type { CollectionView } from '#contracts';
import type { Io } from '../io.ts';
import { itemsText, subscriptionsText } from './counts-text.ts';
import { paint, printable } from '../terminal/text.ts';

/** A collection for people: what it is, where its feed is, and its settings. */
export function collectionText(
  { name, title, protocol, format, endpoint, cursor, counts, settings, links }: CollectionView,
  io: Io,
): string {
  const fields = {
    endpoint,
    feed: links.feed,
    cursor,
    ...(counts && {
      items: itemsText(counts),
      conflicts: String(counts.conflicts),
      subscriptions: subscriptionsText(counts) || 'none',
    }),
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, settingText(value)])),
  };
  return [
    `${paint(io, 'stdout', 'bold', name)}: ${printable(title)} (${protocol}, ${format})\n`,
    ...Object.entries(fields).map(([key, value]) => `  ${key}: ${printable(value)}\n`),
  ].join('');
}

function settingText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
