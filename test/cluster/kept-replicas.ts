import { isDeepStrictEqual } from 'node:util';
import type { ControlPlane } from '../../tools/cluster/index.ts';

/**
 * Installs the chart, scales the mergers by hand, and switches their autoscaler on and off again by upgrades.
 * Returns a text if the number of replicas is another than it should be.
 */
export async function keptReplicas(plane: ControlPlane, values: string): Promise<string | undefined> {
  const namespace = 'kept-replicas';
  await plane.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const of = ['example', 'deploy/chart', '--namespace', namespace, '--values', values];
  const scaled = ['--set', 'merger.autoscaling.enabled=true'];
  const deployment = ['--namespace', namespace, 'deployment', 'example-feedmesh-merger'];
  await plane.helm(['install', ...of]);
  await plane.kubectl(['scale', ...deployment, '--replicas', '5']);
  const found: number[] = [];
  for (const upgrade of [scaled, [...scaled, '--set', 'merger.autoscaling.maxReplicas=4'], []]) {
    await plane.helm(['upgrade', ...of, ...upgrade]);
    const { spec } = await plane.read<{ readonly spec: { readonly replicas: number } }>([
      'get',
      ...deployment,
    ]);
    found.push(spec.replicas);
  }
  await plane.helm(['uninstall', 'example', '--namespace', namespace]);
  const expected = [5, 4, 2];
  if (isDeepStrictEqual(found, expected)) return undefined;
  return `replicas must be ${expected.join(', ')}, and were ${found.join(', ')}`;
}
