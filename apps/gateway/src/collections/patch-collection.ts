import { defaultSharedElements } from '#xml';
import type { Collection, CollectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { checkInput } from '../requests/check-input.ts';
import { applyPatch, isObject } from '../requests/merge-patch.ts';
import type { JsonObject } from '../requests/merge-patch.ts';
import { collectionBody } from './collection-body.ts';
import { shownSettings } from './collection-settings.ts';
import { findCollection } from './find-collection.ts';
import { putCollection } from './put-collection.ts';

/**
 * Makes a merge patch to a collection (RFC 7396). Throws `ProblemError` 404 for no such collection, and as
 * `putCollection` does.
 */
export async function patchCollection(
  ports: GatewayPorts,
  key: CollectionKey,
  patch: JsonObject,
): Promise<Collection> {
  const existing = await findCollection(ports, key);
  const { settings } = patch;
  const body = { ...patch, ...(isObject(settings) && { settings: patchedSettings(existing, settings) }) };
  return (await putCollection(ports, key, checkInput(collectionBody, 'body', body))).collection;
}

/** A patch of settings in which those that are objects are whole, as `putCollection` takes them. */
function patchedSettings(collection: Collection, patch: JsonObject): JsonObject {
  const current: JsonObject = { ...shownSettings(collection) };
  const whole = (name: string, value: unknown): unknown => {
    if (!isObject(value)) return value;
    const former = current[name];
    const patched = applyPatch(isObject(former) ? former : {}, value);
    return name === 'sharedElements' ? { ...defaultSharedElements, ...patched } : patched;
  };
  return Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, whole(name, value)]));
}
