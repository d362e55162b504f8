import { expect, test } from '@jest/globals';
import { problemBody } from './problem-body.ts';
import { ProblemError } from './problem-error.ts';

test('of what a client has sent, a problem repeats a little', () => {
  const long = 'x'.repeat(100_000);
  const errors = Array.from({ length: 21 }, () => ({ path: long, message: long }));
  const violations = Array.from({ length: 100 }, (_, line) => ({ rule: 'a', message: long, line }));
  const body = problemBody(new ProblemError(400, 'invalid-input', long, { errors, violations }), `/${long}`);
  expect(body).toMatchObject({ status: 400, moreErrors: 1, moreViolations: 80 });
  const lengths = (value: unknown): number[] =>
    typeof value === 'string' ? [value.length] : Object.values(value ?? {}).flatMap(lengths);
  expect([lengths(body['detail']), lengths(body['instance'])]).toEqual([[4000], [4000]]);
  expect(body['errors']).toHaveLength(20);
  expect(body['violations']).toHaveLength(20);
  expect(Math.max(...lengths(body['errors']), ...lengths(body['violations']))).toBe(500);
});
