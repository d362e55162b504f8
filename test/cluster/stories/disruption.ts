import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, namespace, services } from '../installation.ts';
import type { Installation, Pod, Service } from '../installation.ts';
import { Load } from '../load.ts';
import type { Task } from '../task.ts';

/**
 * Under load, each service loses pods: one is evicted while its budget refuses a second one, the process of
 * one is killed, one is deleted by force. Nothing is lost, and after each loss the service is whole again in
 * time. An eviction fails no request.
 */
export async function disruption(installation: Installation, task: Task): Promise<void> {
  const { say } = installation;
  await suffer(installation, async (load) => {
    for (const service of services) {
      await recovers(installation, task, `a pod of ${service} is evicted`, () =>
        evict(installation, service),
      );
    }
    await delay(2000);
    if (load.failures.length > 0)
      throw new Error(`requests have failed although pods were evicted:\n${load.failures.join('\n')}`);
  });
  await suffer(installation, async (load) => {
    for (const service of services) {
      await recovers(installation, task, `a process of ${service} is killed`, () =>
        kill(installation, service),
      );
      await recovers(installation, task, `a pod of ${service} is deleted by force`, () =>
        deleteByForce(installation, service),
      );
    }
    say(`${load.failures.length} requests had no response, of pods that were killed`);
  });
}

async function suffer(installation: Installation, work: (load: Load) => Promise<void>): Promise<void> {
  const load = await Load.start(installation);
  await delay(2000);
  await work(load);
  const requests = await load.end();
  installation.say(`nothing is lost after ${requests} requests`);
}

/** Harms a service, and waits until all pods are ready again. Throws if that takes too long. */
async function recovers(
  installation: Installation,
  task: Task,
  what: string,
  harm: () => Promise<void>,
): Promise<void> {
  await eventually('all pods are ready', () => installation.isWhole());
  const begun = Date.now();
  await harm();
  await eventually(`recovery after ${what}`, () => installation.isWhole());
  const seconds = (Date.now() - begun) / 1000;
  installation.say(`${what}: all pods are ready after ${seconds.toFixed(1)} s`);
  if (seconds > task.recoverySeconds)
    throw new Error(`recovery took ${seconds} s after ${what}; --recovery says ${task.recoverySeconds}`);
}

/** Evicts both pods at once: the budget lets one go. */
async function evict(installation: Installation, service: Service): Promise<void> {
  const pods = await installation.readyPods(service);
  const outcomes = await Promise.all(pods.map((pod) => requestEviction(installation, pod)));
  const refused = outcomes.filter(({ code, stderr }) => code !== 0 && stderr.includes('disruption budget'));
  const evicted = outcomes.filter(({ code }) => code === 0);
  if (evicted.length !== 1 || refused.length !== pods.length - 1)
    throw new Error(
      `the budget of ${service} must let one of ${pods.length} pods go: ${JSON.stringify(outcomes)}`,
    );
  await isLess(installation, service, pods);
}

function requestEviction(
  { plane }: Installation,
  { metadata: { name } }: Pod,
): Promise<{ readonly code: number; readonly stderr: string }> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
  return plane.tryKubectl(['create', '--raw', path, '--filename', '-'], JSON.stringify(eviction));
}

async function deleteByForce(installation: Installation, service: Service): Promise<void> {
  const pods = await installation.readyPods(service);
  const name = pods[0]?.metadata.name ?? '';
  await installation.kubectl('delete', 'pod', name, '--force', '--grace-period=0');
  await isLess(installation, service, pods);
}

/** Kills the process of a container, as the kernel does when it has used up its memory. */
async function kill(installation: Installation, service: Service): Promise<void> {
  const [pod] = await installation.readyPods(service);
  if (pod === undefined) throw new Error(`${service} has no ready pod`);
  const before = restarts(pod);
  process.kill(processOf(pod.metadata.uid), 'SIGKILL');
  await eventually('the container is started again', async () => {
    const now = (await installation.pods(service)).find(({ metadata }) => metadata.uid === pod.metadata.uid);
    return now !== undefined && restarts(now) > before;
  });
}

function restarts({ status }: Pod): number {
  return status.containerStatuses?.[0]?.restartCount ?? 0;
}

/** The pid of the Node.js process of a pod: all processes of the node are seen from here. */
function processOf(uid: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isOfPod = readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(`pod${uid}`);
      if (isOfPod && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('node\0')) return Number(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  throw new Error(`no process of pod ${uid} was found`);
}

/** Waits until one of the pods is no longer among the ready ones. */
async function isLess(installation: Installation, service: Service, before: readonly Pod[]): Promise<void> {
  await eventually(`a pod of ${service} is gone`, async () => {
    const now = new Set((await installation.readyPods(service)).map(({ metadata }) => metadata.uid));
    return before.some(({ metadata }) => !now.has(metadata.uid));
  });
}
