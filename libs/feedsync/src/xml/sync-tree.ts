import { finish } from '#core';
import type { Steps } from '#core';
import { itemFormat, treeSteps } from '#xml';
import { syncNamespace } from './namespace.ts';
import type { FeedFormat, TreeLimits, XmlElement } from '#xml';

/**
 * Reads an element with all that FeedSync defines in it, in its `sx:sync` and in the items of its conflicts.
 * Throws `FeedError` as `readTree` does.
 */
export function readSyncTree(text: string, limits?: TreeLimits): XmlElement {
  return finish(syncTreeSteps(text, limits));
}

/** Does what `readSyncTree` does, in steps. */
export function syncTreeSteps(text: string, limits?: TreeLimits): Steps<XmlElement> {
  const isOpened = (element: XmlElement) => element.namespace === syncNamespace || isVersion(element);
  return treeSteps(text, { isOpened, isVersion }, limits);
}

/** Whether an element is the item itself, or an item in its conflicts. */
function isVersion(element: XmlElement): boolean {
  const { parent } = element;
  return parent === undefined || (isSync(parent, 'conflicts') && feedItemFormat(element) !== undefined);
}

/** Whether an element is the FeedSync element of this name. */
export function isSync(element: XmlElement, name: string): boolean {
  return element.name === name && element.namespace === syncNamespace;
}

/** Returns the format that an element is an item of, if it is one that feeds hold. */
export function feedItemFormat(element: XmlElement): FeedFormat | undefined {
  const format = itemFormat(element);
  return format === 'opml' ? undefined : format;
}
