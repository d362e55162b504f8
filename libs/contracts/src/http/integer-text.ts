import { z } from 'zod';

/** The bounds of an integer, which documents give of it. */
interface IntegerBounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** An integer as a query or a path has it: a text. Documents describe it as an integer within the bounds. */
export function integerText(rule: RegExp, message: string, bounds: IntegerBounds) {
  return z.string().regex(rule, message).meta({ integer: bounds });
}

/** A whole number from 1. */
export const positiveIntegerText = integerText(/^[1-9][0-9]{0,8}$/, 'a whole number from 1', {
  minimum: 1,
  maximum: 999_999_999,
});
