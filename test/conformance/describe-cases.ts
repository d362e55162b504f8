import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import type { CaseOf } from './conformance-case.ts';
import { readCases } from './read-cases.ts';

/** One test for each case in a folder beside this file, by the sections of the specification. */
export function describeCases<Operation extends object>(
  specification: string,
  folder: string,
  runCase: (conformanceCase: CaseOf<Operation>) => Promise<void>,
): void {
  const cases = readCases<Operation>(join(import.meta.dirname, folder));
  for (const section of new Set(cases.map((conformanceCase) => conformanceCase.section))) {
    describe(`${specification} ${section}`, () => {
      test.each(
        cases
          .filter((conformanceCase) => conformanceCase.section === section)
          .map((conformanceCase) => ({ ...conformanceCase, conformanceCase })),
      )('$name: $title', ({ conformanceCase }) => runCase(conformanceCase));
    });
  }
}
