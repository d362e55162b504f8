import type { GrowthCase } from '../growth-case.ts';
import { documentCases } from './documents.ts';
import { itemCases } from './items.ts';
import { outlineCases } from './outlines.ts';
import { pageCases } from './pages.ts';
import { requestCases } from './requests.ts';
import { textCases } from './texts.ts';

export const growthCases: readonly GrowthCase[] = [
  ...documentCases,
  ...itemCases,
  ...outlineCases,
  ...pageCases,
  ...requestCases,
  ...textCases,
];
