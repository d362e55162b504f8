import { z } from 'zod';

/**
 * Says how a value departs from its schema: what is wrong, or which members the schema does not name, each by
 * its path; undefined if it fits.
 */
export function misfit(schema: z.core.$ZodType, value: unknown): string | undefined {
  const { data, error } = z.safeParse(schema, value);
  if (error) return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  const unnamed = [...unnamedMembers(data, JSON.parse(JSON.stringify(value)), '')];
  return unnamed.length === 0 ? undefined : `not in the schema: ${unnamed.join(', ')}`;
}

/** The paths of what is in a value and not in what its schema has kept of it. */
function* unnamedMembers(kept: unknown, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const here = path === '' ? name : `${path}.${name}`;
    const known = (kept as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (known === undefined) yield here;
    else yield* unnamedMembers(known, member, here);
  }
}
