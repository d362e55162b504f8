import { writeFileSync } from 'node:fs';
import { checkChart } from './checks.ts';
import { pageFile, writePage } from './page.ts';
import { valuesFile, writeValues } from './values-file.ts';
import { chartValues } from './values-schema.ts';

// `npm run chart` checks the Helm chart; with `--write` it makes what comes from values.schema.json instead.
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (process.argv.includes('--write')) {
  const values = chartValues();
  writeFileSync(valuesFile, writeValues(values));
  writeFileSync(pageFile, writePage(values));
  say(`wrote ${valuesFile} and ${pageFile}`);
} else {
  const faults = await checkChart(say);
  for (const fault of faults) say(fault);
  say(faults.length === 0 ? 'the chart is sound' : `faults: ${faults.length}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
