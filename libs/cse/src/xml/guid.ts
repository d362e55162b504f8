import type { Child, Payload } from '#xml';
import { readContent } from '#xml';

/**
 * The guid that a payload of RSS says: the text of its first `guid`, without the white space around it;
 * undefined if there is none.
 */
export function guidOf({ children }: Payload): string | undefined {
  const guid = children.find(isGuid);
  return guid === undefined ? undefined : readContent(guid.xml).text.trim() || undefined;
}

/** Whether a child of an item is the `guid` of RSS 2.0. */
export function isGuid({ namespace, name }: Child): boolean {
  return name === 'guid' && namespace === '';
}
