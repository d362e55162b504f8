import { finish } from '#core';
import type { Steps } from '#core';
import { itemFormat, treeSteps } from '#xml';
import type { Format, TreeLimits, XmlElement } from '#xml';
import { sseNamespaces } from './namespace.ts';

/**
 * Reads an element with all that Simple Sharing Extensions define in it, in its `sx:sync` and in the items of
 * its conflicts. Throws `FeedError` as `readTree` does.
 */
export function readSseTree(text: string, limits?: TreeLimits): XmlElement {
  return finish(sseTreeSteps(text, limits));
}

/** Does what `readSseTree` does, in steps. */
export function sseTreeSteps(text: string, limits?: TreeLimits): Steps<XmlElement> {
  const isOpened = (element: XmlElement) => isSseNamespace(element.namespace) || isVersion(element);
  return treeSteps(text, { isOpened, isVersion }, limits);
}

/** Whether an element is the item itself, or an item in its conflicts. */
function isVersion(element: XmlElement): boolean {
  const { parent } = element;
  return parent === undefined || (isSse(parent, 'conflict') && sseItemFormat(element) !== undefined);
}

/** Whether a namespace is that of Simple Sharing Extensions (1.1), in either of its forms. */
export function isSseNamespace(namespace: string): boolean {
  return namespace === sseNamespaces.https || namespace === sseNamespaces.http;
}

/** Whether an element is the element of this name of Simple Sharing Extensions. */
export function isSse(element: XmlElement, name: string): boolean {
  return element.name === name && isSseNamespace(element.namespace);
}

/** Returns the format that an element is an item of, if it is one that SSE extends. */
export function sseItemFormat(element: XmlElement): Exclude<Format, 'atom'> | undefined {
  const format = itemFormat(element);
  return format === 'atom' ? undefined : format;
}
