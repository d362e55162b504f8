import { readDate } from './date.ts';
import { atomNamespace, dublinCoreNamespace, dublinCoreTermsNamespace } from './namespace.ts';
import type { Child, Payload } from './payload.ts';
import { readContent } from './text-content.ts';

/** The elements that contain the date of publication, the best first. */
const dates: readonly (readonly [namespace: string, name: string])[] = [
  [atomNamespace, 'published'],
  ['', 'pubDate'],
  [dublinCoreTermsNamespace, 'issued'],
  [dublinCoreTermsNamespace, 'created'],
  [dublinCoreNamespace, 'date'],
  ['http://prismstandard.org/namespaces/basic/2.0/', 'publicationDate'],
];

/**
 * Returns when an item was published by its own words (Atom, RSS, Dublin Core, PRISM): RFC 3339, whole
 * seconds, UTC. Returns undefined if it contains no such date.
 */
export function dateInPayload({ children }: Pick<Payload, 'children'>): string | undefined {
  for (const [namespace, name] of dates)
    for (const child of children) {
      const date = isCalled(child, namespace, name)
        ? readDate(readContent(child.xml).text.trim())
        : undefined;
      if (date !== undefined) return date.dateTime;
    }
  return undefined;
}

function isCalled(child: Child, namespace: string, name: string): boolean {
  return child.name === name && child.namespace === namespace;
}
