/** A change of a JSON object (RFC 7396): what is absent stays, `null` removes. */
export type MergePatch = Readonly<Record<string, unknown>>;

/** Applies a merge patch to an object, which stays as it is (RFC 7396, 2). */
export function applyPatch(
  object: Readonly<Record<string, unknown>>,
  patch: MergePatch,
): Record<string, unknown> {
  const changed = new Map(Object.entries(object));
  for (const [name, value] of Object.entries(patch)) {
    const former = changed.get(name);
    if (value === null) changed.delete(name);
    else changed.set(name, isObject(value) ? applyPatch(isObject(former) ? former : {}, value) : value);
  }
  return Object.fromEntries(changed);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
