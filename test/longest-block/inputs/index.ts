import type { LargeInput } from '../large-input.ts';
import { jsonInputs, requestInputs, xmlInputs } from './bodies.ts';
import { feedInputs, headInputs, itemInputs } from './feeds.ts';

/** Everything that is tried, in the order of the table. */
export const bodyInputs: readonly LargeInput[] = [
  ...feedInputs,
  ...itemInputs,
  ...headInputs,
  ...jsonInputs,
  ...xmlInputs,
  ...requestInputs,
];
