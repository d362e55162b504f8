import { inspect } from 'node:util';
import type { ClusterPrograms, Place } from '../../../tools/cluster/index.ts';
import { services } from '../installation.ts';
import type { Installation } from '../installation.ts';
import type { Task } from '../task.ts';
import { install } from './install.ts';
import { disruption } from './disruption.ts';
import { mergers } from './mergers.ts';
import { scaling } from './scaling.ts';
import { upgrade } from './upgrade.ts';

type Story = (installation: Installation, task: Task) => Promise<void>;

/** By the name that `--story` takes. */
const stories: Readonly<Record<string, Story>> = { upgrade, disruption, mergers, scaling };

/**
 * Installs the chart and runs the stories of the task, one after the other. Returns a text for each that has
 * failed, with the state of the pods.
 */
export async function runStories(
  installation: Installation,
  programs: ClusterPrograms,
  place: Place,
  task: Task,
): Promise<string[]> {
  const { say } = installation;
  const faults: string[] = [];
  const tell = async (name: string, story: () => Promise<void>): Promise<boolean> => {
    say(`-- ${name}`);
    try {
      await story();
      say(`ok     ${name}`);
      return true;
    } catch (error) {
      say(`WRONG  ${name}`);
      faults.push(`${name}: ${inspect(error)}\n${await stateOf(installation)}`);
      return false;
    }
  };
  if (!(await tell('install', () => install(installation, programs, place.folder)))) return faults;
  const chosen = task.stories.length === 0 ? Object.keys(stories) : task.stories;
  for (const name of chosen.filter((each) => each !== 'install'))
    await tell(name, async () => {
      const story = stories[name];
      if (story === undefined)
        throw new Error(`there is no story ${name}: ${Object.keys(stories).join(', ')}`);
      await story(installation, task);
    });
  return faults;
}

async function stateOf({ plane }: Installation): Promise<string> {
  const pods = await plane.tryKubectl(['get', 'pods', '--all-namespaces', '--output', 'wide']);
  const events = await plane.tryKubectl([
    'get',
    'events',
    '--all-namespaces',
    '--field-selector',
    'type=Warning',
  ]);
  const logs = await Promise.all(
    services.map(async (service) => {
      const of = ['--namespace', 'feedmesh', 'logs', `deploy/feedmesh-${service}`, '--tail', '15'];
      return `${service}:\n${(await plane.tryKubectl(of)).stdout}`;
    }),
  );
  return [pods.stdout, events.stdout, ...logs].join('\n');
}
