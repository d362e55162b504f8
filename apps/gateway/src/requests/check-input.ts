import type { z } from 'zod';
import { invalidInput } from '../problems/problem-error.ts';
import type { InputFault } from '../problems/problem-error.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Each issue as a fault below `place`, such as `body`. */
export function inputFaults(place: string, issues: readonly Issue[]): InputFault[] {
  return issues.map(({ message, path = [] }) => ({
    path: [place, ...path.map((step) => String(typeof step === 'object' ? step.key : step))].join('.'),
    message,
  }));
}

/** The value as the schema gives it. Throws `ProblemError` 400 with every fault. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, place: string, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidInput(inputFaults(place, result.error.issues));
  return result.data;
}
