import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlPlane } from '../../tools/cluster/index.ts';
import { keptReplicas } from './kept-replicas.ts';

const chart = 'deploy/chart';
const examples = 'deploy/chart/tests/values';
const namespace = 'feedmesh';

/**
 * Has a real API server judge the chart with each of its example values, in a namespace that enforces the
 * restricted Pod Security Standard and warns of violations. Returns what is wrong, a text each.
 * @param definitions the folder of the definitions of custom resources
 */
export async function dryRun(
  plane: ControlPlane,
  definitions: string,
  say: (line: string) => void,
): Promise<string[]> {
  await plane.kubectl(['apply', '--server-side', '--filename', definitions]);
  await plane.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=120s']);
  // The API server refuses pods, even in a dry run, whose service account is missing.
  const accounts = ['example-feedmesh', 'shared'].map((name) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name, namespace },
  }));
  await plane.apply(restrictedNamespace(namespace), ...accounts);
  const faults: string[] = [];
  for (const file of await readdir(examples)) {
    const fault = await judge(plane, await render(plane, join(examples, file)));
    say(`${fault === undefined ? 'ok' : 'WRONG'}  ${file}`);
    if (fault !== undefined) faults.push(`${file}: ${fault}`);
  }
  const lost = await keptReplicas(plane, join(examples, 'small.yml'));
  say(`${lost === undefined ? 'ok' : 'WRONG'}  an autoscaler that is switched on keeps the replicas`);
  return [...faults, ...(lost === undefined ? [] : [lost]), ...(await controls(plane, say))];
}

/** A namespace that refuses pods which violate the restricted standard, and warns of what makes such pods. */
export function restrictedNamespace(name: string): object {
  const modes = ['enforce', 'warn', 'audit'];
  const labels = Object.fromEntries(
    modes.map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

/** What must be refused, so that the rest says something: each an example with one thing replaced. */
const spoilt = [
  {
    name: 'a container that may gain privileges',
    from: 'allowPrivilegeEscalation: false',
    to: 'allowPrivilegeEscalation: true',
  },
  { name: 'an unknown field', from: 'revisionHistoryLimit:', to: 'revisionHistoryLimits:' },
];

async function controls(plane: ControlPlane, say: (line: string) => void): Promise<string[]> {
  const sound = await render(plane, join(examples, 'small.yml'));
  const faults: string[] = [];
  for (const { name, from, to } of spoilt) {
    const isRefused = (await judge(plane, sound.replaceAll(from, to))) !== undefined;
    say(`${isRefused ? 'ok' : 'WRONG'}  ${name} is refused`);
    if (!isRefused) faults.push(`${name} is not refused`);
  }
  return faults;
}

function render(plane: ControlPlane, values: string): Promise<string> {
  const of = ['--namespace', namespace, '--values', values, '--kube-version', plane.version];
  return plane.helm(['template', 'example', chart, ...of]);
}

/** What the API server says against these objects: an error or a warning. */
async function judge(plane: ControlPlane, manifests: string): Promise<string | undefined> {
  const { code, stderr } = await plane.tryKubectl(
    ['apply', '--server-side', '--dry-run=server', '--warnings-as-errors', '--filename', '-'],
    manifests,
  );
  return code === 0 && !/^warning:/im.test(stderr) ? undefined : stderr;
}
