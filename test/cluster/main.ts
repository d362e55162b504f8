import { join } from 'node:path';
import { customDefinitions } from '../../tools/chart/programs.ts';
import { clusterPrograms, controlPlanePrograms, keda, runInNamespaces } from '../../tools/cluster/index.ts';
import { readTask } from './task.ts';

// `npm run cluster` builds what is missing and runs the stories; see task.ts for its options.
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const task = readTask(process.argv.slice(2));
const needsKeda = task.stories.length === 0 || task.stories.includes('scaling');
const inside = join(import.meta.dirname, 'inside.js');
const programs = task.dryRun
  ? { ...(await controlPlanePrograms(say)), definitions: await customDefinitions(say) }
  : { ...(await clusterPrograms(say)), ...(needsKeda && { keda: await keda(say) }) };
process.exitCode = await runInNamespaces(programs.packages, inside, [
  JSON.stringify(programs),
  JSON.stringify(task),
]);
