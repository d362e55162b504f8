import {
  Background,
  ClusterNode,
  ControlPlane,
  startDatabases,
  startKeda,
} from '../../tools/cluster/index.ts';
import type { ClusterPrograms, Place } from '../../tools/cluster/index.ts';
import { dryRun } from './dry-run.ts';
import { Installation } from './installation.ts';
import { runStories } from './stories/index.ts';
import type { Task } from './task.ts';

// What runs in the namespaces: starts the cluster, then the stories. It ends with the process that made them.
process.stdin.on('end', () => process.exit(1)).resume();

const [place, programs, task] = process.argv.slice(2).map((text) => JSON.parse(text) as unknown) as [
  Place,
  ClusterPrograms & { readonly definitions: string; readonly keda?: string },
  Task,
];
const begun = performance.now();
const say = (line: string): void => {
  process.stdout.write(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
};

async function stories(plane: ControlPlane, background: Background): Promise<string[]> {
  await startDatabases(programs, background, place.folder);
  await plane.startControllers();
  const node = new ClusterNode(programs, background, plane, place);
  await node.start();
  say('the node is ready');
  if (programs.keda !== undefined) await startKeda(plane, background, programs.keda, place.folder);
  return runStories(new Installation(plane, node, say), programs, place, task);
}

const background = new Background(place.folder, process.env);
const plane = await ControlPlane.start(programs, background, place.folder);
say('the API server is ready');
const faults = await (task.dryRun ? dryRun(plane, programs.definitions, say) : stories(plane, background));
for (const fault of faults) say(fault);
say(faults.length === 0 ? 'all is well' : `faults: ${faults.length}`);
process.exit(faults.length === 0 ? 0 : 1);
