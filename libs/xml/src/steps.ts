/**
 * Work that can be interrupted: it yields after every step, each of which takes some microseconds, and
 * returns its result.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Does work in one go. Returns and throws what it does. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
