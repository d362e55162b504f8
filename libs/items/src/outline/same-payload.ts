import { fieldsOfPayload } from '#xml';
import type { Payload } from '#xml';
import { compareCodePoints } from '#core';

/**
 * Whether an outline of a document says what the stored one does. The order of its attributes and unused
 * declarations of namespaces say nothing, and neither does a stored `xml:base` if the document has none:
 * it is the address that brought the item.
 */
export function isSamePayload(written: Payload, stored: Payload): boolean {
  return meaning(written) === meaning(written.scope.base === undefined ? withoutBase(stored) : stored);
}

function meaning(payload: Payload): string {
  const { attributes = {}, ...fields } = fieldsOfPayload(payload);
  return JSON.stringify([Object.entries(attributes).sort(([a], [b]) => compareCodePoints(a, b)), fields]);
}

function withoutBase({ scope: { namespaces, language }, ...payload }: Payload): Payload {
  return { ...payload, scope: { namespaces, ...(language !== undefined && { language }) } };
}
