import { join } from 'node:path';
import { describe, test } from '@jest/globals';
import { readCases } from './read-cases.ts';
import { runCase } from './run-case.ts';

const cases = readCases(join(import.meta.dirname, 'feedsync'));

for (const section of new Set(cases.map((conformanceCase) => conformanceCase.section))) {
  describe(`FeedSync ${section}`, () => {
    test.each(cases.filter((conformanceCase) => conformanceCase.section === section).map((conformanceCase) => ({ ...conformanceCase, conformanceCase })))('$name: $title', ({ conformanceCase }) => runCase(conformanceCase));
  });
}
