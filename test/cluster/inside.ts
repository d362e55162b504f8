import { Background, ControlPlane } from '../../tools/cluster/index.ts';
import type { Place } from '../../tools/cluster/index.ts';
import type { ControlPlanePrograms } from '../../tools/cluster/programs.ts';
import { dryRun } from './dry-run.ts';
import type { Task } from './task.ts';

// What runs in the namespaces: starts the cluster, then the stories. It ends with the process that made them.
process.stdin.on('end', () => process.exit(1)).resume();

const [place, programs, task] = process.argv.slice(2).map((text) => JSON.parse(text) as unknown) as [
  Place,
  ControlPlanePrograms & { readonly definitions: string },
  Task,
];
const begun = Date.now();
const say = (line: string): void => {
  process.stdout.write(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
};

const background = new Background(place.folder, process.env);
const plane = await ControlPlane.start(programs, background, place.folder);
say('the API server is ready');
const faults = task.dryRun ? await dryRun(plane, programs.definitions, say) : [];
for (const fault of faults) say(fault);
say(faults.length === 0 ? 'all is well' : `faults: ${faults.length}`);
process.exit(faults.length === 0 ? 0 : 1);
