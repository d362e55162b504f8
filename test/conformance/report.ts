import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ConformanceCase } from './conformance-case.ts';
import { readCases } from './read-cases.ts';
import { reportPage } from './report-page.ts';
import type { Outcome } from './report-page.ts';
import { runCase } from './run-case.ts';

/** `npm run conformance [-- CASES [PAGE]]`: runs every case, prints sections, cases and passed; exit code 1 where one failed. */
const [root = 'test/conformance/feedsync', page = 'reports/conformance.html'] = process.argv.slice(2);
const outcomes: Outcome[] = [];
for (const conformanceCase of readCases(root)) outcomes.push(await outcomeOf(conformanceCase));

const line = (section: string, cases: number | string, passed: number | string): void => {
  process.stdout.write(`${section.padEnd(10)}${String(cases).padStart(7)}${String(passed).padStart(8)}\n`);
};
const isPassed = ({ failure }: Outcome): boolean => failure === undefined;
line('section', 'cases', 'passed');
for (const section of new Set(outcomes.map(({ conformanceCase }) => conformanceCase.section))) {
  const inSection = outcomes.filter(({ conformanceCase }) => conformanceCase.section === section);
  line(section, inSection.length, inSection.filter(isPassed).length);
}
line('all', outcomes.length, outcomes.filter(isPassed).length);
for (const { conformanceCase, failure } of outcomes) if (failure !== undefined) process.stdout.write(`failed: ${conformanceCase.name}: ${conformanceCase.title}\n${failure}\n`);

mkdirSync(dirname(page), { recursive: true });
writeFileSync(page, reportPage('Feedmesh and FeedSync 1.0.2: conformance', outcomes));
process.stdout.write(`${page}\n`);
if (!outcomes.every(isPassed)) process.exitCode = 1;

async function outcomeOf(conformanceCase: ConformanceCase): Promise<Outcome> {
  try {
    await runCase(conformanceCase);
    return { conformanceCase };
  } catch (error) {
    return { conformanceCase, failure: error instanceof Error ? error.message : String(error) };
  }
}
