import type { LargeInput } from '../large-input.ts';
import { jsonInputs, requestInputs, xmlInputs } from './bodies.ts';
import { documentInputs } from './documents.ts';
import { feedInputs, headInputs, itemInputs } from './feeds.ts';
import { hubInputs } from './hubs.ts';
import { listInputs } from './lists.ts';
import { outlineInputs } from './outlines.ts';
import { treeInputs } from './trees.ts';

/** Everything that is tried, in the order of the table. */
export const bodyInputs: readonly LargeInput[] = [
  ...feedInputs,
  ...itemInputs,
  ...headInputs,
  ...jsonInputs,
  ...xmlInputs,
  ...requestInputs,
  ...documentInputs,
  ...hubInputs,
  ...outlineInputs,
  ...treeInputs,
  ...listInputs,
];
