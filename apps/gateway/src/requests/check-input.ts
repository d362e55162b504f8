import { z } from 'zod';
import { invalidInput } from '../problems/problem-error.ts';
import type { InputFault } from '../problems/problem-error.ts';

/** How many unknown keys a message names, and how many characters of each. */
const [namedKeys, keyLength] = [10, 60];

/**
 * The value as the schema gives it. Throws `ProblemError` 400 with every fault, each with its path below
 * `place`, such as `body`.
 */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  place: string,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: messageOf });
  if (!result.success)
    throw invalidInput(
      result.error.issues.map(({ path, message }): InputFault => ({
        path: [place, ...path.map(String)].join('.'),
        message,
      })),
    );
  return result.data;
}

/** A message that says more than that of zod; undefined for that one. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  return issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys, allowedKeys(issue.inst)) : undefined;
}

function unknownKeys(keys: readonly string[], allowed: readonly string[]): string {
  const named = keys
    .slice(0, namedKeys)
    .map((key) => JSON.stringify(key.length > keyLength ? `${key.slice(0, keyLength)}…` : key))
    .join(', ');
  const more = keys.length > namedKeys ? ` and ${keys.length - namedKeys} more` : '';
  const what = allowed.length === 0 ? 'there are none' : `there are ${allowed.join(', ')}`;
  return `unknown ${keys.length === 1 ? 'key' : 'keys'}: ${named}${more}; ${what}`;
}

/** The keys that the object of a schema may have. */
function allowedKeys(schema: unknown): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
