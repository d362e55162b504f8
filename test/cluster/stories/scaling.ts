import { setTimeout as delay } from 'node:timers/promises';
import { isMerged, subscribe } from '../big-feeds.ts';
import { eventually, namespace } from '../installation.ts';
import type { Installation } from '../installation.ts';
import { StalledJobs } from '../stalled-jobs.ts';
import type { Task } from '../task.ts';

const most = 8;
const collections = 4;

/**
 * KEDA scales the mergers from none to eight while a backlog of items waits, and back to none: every item is
 * merged, and no job that runs is ended.
 */
export async function scaling(installation: Installation, task: Task): Promise<void> {
  const { say } = installation;
  const stalled = await StalledJobs.watch();
  await installation.upgrade({
    'keda.enabled': 'true',
    'keda.pollingSeconds': 2,
    'keda.cooldownSeconds': 10,
    'merger.autoscaling.enabled': 'true',
    'merger.autoscaling.minReplicas': 0,
    'merger.autoscaling.maxReplicas': most,
    'merger.autoscaling.jobsPerReplica': 2,
  });
  await eventually('no merger runs', async () => (await mergers(installation)) === 0);
  say('no merger runs');
  const feeds = Array.from({ length: collections }, (_, index) => `big-${index}`);
  for (const feed of feeds) await subscribe(installation, feed, Math.ceil(task.items / collections));
  let highest = 0;
  await eventually(
    `${task.items} items are merged`,
    async () => {
      const now = await mergers(installation);
      if (now > highest) say(`${now} mergers; ${await backlog(installation)} jobs wait`);
      highest = Math.max(highest, now);
      await delay(500);
      return isMerged(installation, feeds, Math.ceil(task.items / collections));
    },
    1200,
  );
  say(`${task.items} items are merged`);
  await eventually('no merger runs', async () => (await mergers(installation)) === 0, 600);
  say('no merger runs');
  await stalled.end();
  if (highest !== most) throw new Error(`there were ${highest} mergers at most, not ${most}`);
  if (stalled.found.length > 0) throw new Error(`jobs have stalled: ${stalled.found.join(', ')}`);
}

async function mergers({ plane }: Installation): Promise<number> {
  const of = ['--namespace', namespace, 'get', 'deployment', 'feedmesh-merger'];
  const { status } = await plane.read<{ readonly status: { readonly replicas?: number } }>(of);
  return status.replicas ?? 0;
}

/** The jobs for mergers that could be worked on, as KEDA reads them. */
async function backlog({ url }: Installation): Promise<string> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /^feedmesh_queue_backlog\{queue="merge"\} (\d+)$/m.exec(metrics)?.[1] ?? 'unknown';
}
