import { readDate } from './date.ts';
import { atomNamespace } from './namespace.ts';
import type { Child, Payload } from './payload.ts';
import { readContent } from './text-content.ts';

/**
 * When an item was published, as it says itself in an Atom `published` or in the `pubDate` of RSS: RFC 3339,
 * whole seconds, UTC. Returns undefined if it says nothing that is a date.
 */
export function dateInPayload({ children }: Payload): string | undefined {
  for (const child of children) {
    const date = isDate(child) ? readDate(readContent(child.xml).text.trim()) : undefined;
    if (date !== undefined) return date.dateTime;
  }
  return undefined;
}

function isDate({ namespace, name }: Child): boolean {
  return namespace === atomNamespace ? name === 'published' : namespace === '' && name === 'pubDate';
}
