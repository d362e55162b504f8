import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CaseOf } from './conformance-case.ts';
import { runCseCase } from './cse-case/run-cse-case.ts';
import { readCases } from './read-cases.ts';
import { reportPage } from './report-page.ts';
import type { Outcome } from './report-page.ts';
import { runCase } from './run-case.ts';
import { runSseCase } from './sse-case/run-sse-case.ts';
import { readTable } from './table.ts';

/**
 * `npm run conformance [-- PAGE]`: runs every case, prints sections, cases and passed, and how many rows of a
 * table are not built; exit code 1 if one failed.
 */
const [page = 'reports/conformance.html'] = process.argv.slice(2);
const outcomes = [
  ...(await outcomesOf('FeedSync', 'test/conformance/feedsync', runCase)),
  ...(await outcomesOf('SSE', 'test/conformance/sse', runSseCase)),
  ...(await outcomesOf('CSE', 'test/conformance/cse', runCseCase)),
];

const line = (section: string, cases: number | string, passed: number | string): void => {
  process.stdout.write(`${section.padEnd(18)}${String(cases).padStart(7)}${String(passed).padStart(8)}\n`);
};
const isPassed = ({ failure }: Outcome): boolean => failure === undefined;
line('section', 'cases', 'passed');
for (const section of new Set(outcomes.map(({ section }) => section))) {
  const inSection = outcomes.filter((outcome) => outcome.section === section);
  line(section, inSection.length, inSection.filter(isPassed).length);
}
line('all', outcomes.length, outcomes.filter(isPassed).length);
for (const specification of ['feedsync', 'sse', 'cse']) {
  const table = `docs/conformance/${specification}.md`;
  const missing = readTable(table).filter((row) => !row.isBuilt).length;
  if (missing > 0) process.stdout.write(`${table}: ${missing} rows are not built yet\n`);
}
for (const { section, conformanceCase, failure } of outcomes)
  if (failure !== undefined)
    process.stdout.write(
      `failed: ${section}: ${conformanceCase.name}: ${conformanceCase.title}\n${failure}\n`,
    );

mkdirSync(dirname(page), { recursive: true });
writeFileSync(
  page,
  reportPage('Feedmesh, FeedSync 1.0.2, SSE 0.91 and Content Sync Extensions: conformance', outcomes),
);
process.stdout.write(`${page}\n`);
if (!outcomes.every(isPassed)) process.exitCode = 1;

async function outcomesOf<Operation>(
  specification: string,
  root: string,
  run: (conformanceCase: CaseOf<Operation>) => Promise<void>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const conformanceCase of readCases<Operation>(root)) {
    const outcome = { section: `${specification} ${conformanceCase.section}`, conformanceCase };
    outcomes.push(
      await run(conformanceCase).then(
        () => outcome,
        (error: unknown) => ({ ...outcome, failure: error instanceof Error ? error.message : String(error) }),
      ),
    );
  }
  return outcomes;
}
