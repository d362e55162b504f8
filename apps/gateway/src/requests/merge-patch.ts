import { patchTypes } from '#contracts';
import type { Request } from 'express';
import { ProblemError } from '../problems/problem-error.ts';

/** A JSON object, or a change of one (RFC 7396): what is absent stays, `null` removes. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Applies a merge patch to an object, which stays as it is (RFC 7396, 2). */
export function applyPatch(object: JsonObject, patch: JsonObject): Record<string, unknown> {
  const changed = new Map(Object.entries(object));
  for (const [name, value] of Object.entries(patch)) {
    const former = changed.get(name);
    if (value === null) changed.delete(name);
    else changed.set(name, isObject(value) ? applyPatch(isObject(former) ? former : {}, value) : value);
  }
  return Object.fromEntries(changed);
}

/**
 * The merge patch that a request brings. Throws `ProblemError` 415 for a body of another type, 400 for one
 * that is no object.
 */
export function readPatch(request: Request): JsonObject {
  const type = request.is([...patchTypes]);
  if (type === false || type === null) {
    throw new ProblemError(
      415,
      'unsupported-media-type',
      `A PATCH is ${patchTypes.join(' or ')} (RFC 7396).`,
      {},
      { 'Accept-Patch': patchTypes.join(', ') },
    );
  }
  const body = request.body as unknown;
  if (!isObject(body))
    throw new ProblemError(
      400,
      'invalid-patch',
      'A merge patch is a JSON object with what is to change (RFC 7396).',
    );
  return body;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
