import { setTimeout as delay } from 'node:timers/promises';
import { addresses } from '../../tools/cluster/index.ts';
import type { ClusterNode, ControlPlane } from '../../tools/cluster/index.ts';

export const services = ['gateway', 'fetcher', 'merger', 'publisher'] as const;
export type Service = (typeof services)[number];

export const namespace = 'feedmesh';

/** The image of this checkout, as the node knows it. */
export const image = { repository: 'localhost/feedmesh', tag: 'cluster' } as const;

/** A pod, as far as the stories look at it. */
export interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
}

/** The chart as it is installed in the cluster. */
export class Installation {
  /** Where the gateway's service is. */
  readonly url = `http://feedmesh-gateway.${namespace}.svc`;
  readonly plane: ControlPlane;
  readonly node: ClusterNode;
  readonly say: (line: string) => void;

  constructor(plane: ControlPlane, node: ClusterNode, say: (line: string) => void) {
    this.plane = plane;
    this.node = node;
    this.say = say;
  }

  /** Runs kubectl in the namespace of the chart. */
  kubectl(...args: readonly string[]): Promise<string> {
    return this.plane.kubectl(['--namespace', namespace, ...args]);
  }

  async pods(service: Service): Promise<readonly Pod[]> {
    const of = [
      '--namespace',
      namespace,
      'get',
      'pods',
      '--selector',
      `app.kubernetes.io/component=${service}`,
    ];
    return (await this.plane.read<{ readonly items: readonly Pod[] }>(of)).items;
  }

  /** The pods that are ready and not on their way out. */
  async readyPods(service: Service): Promise<readonly Pod[]> {
    return (await this.pods(service)).filter(isReady);
  }

  /** Upgrades with these values besides those that it has, and waits until all pods are replaced. */
  async upgrade(values: Readonly<Record<string, string | number>>): Promise<void> {
    const set = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const chart = ['feedmesh', 'deploy/chart', '--namespace', namespace, '--reset-then-reuse-values'];
    await this.plane.helm(['upgrade', ...chart, ...set, '--wait', '--timeout', '10m']);
  }

  /** Goes back to the values before the last upgrade, and waits until all pods are replaced. */
  async rollback(): Promise<void> {
    await this.plane.helm(['rollback', 'feedmesh', '--namespace', namespace, '--wait', '--timeout', '10m']);
  }

  /** Waits until every service has as many ready pods as it should, and no others. */
  async isWhole(): Promise<boolean> {
    const of = ['--namespace', namespace, 'get', 'deployments'];
    const { items } = await this.plane.read<{ readonly items: readonly Deployment[] }>(of);
    return items.every(
      ({ spec, status }) =>
        (status.readyReplicas ?? 0) === spec.replicas && (status.replicas ?? 0) === spec.replicas,
    );
  }
}

interface Deployment {
  readonly spec: { readonly replicas: number };
  readonly status: { readonly replicas?: number; readonly readyReplicas?: number };
}

export function isReady({ metadata, status }: Pod): boolean {
  const condition = status.conditions?.find(({ type }) => type === 'Ready');
  return condition?.status === 'True' && metadata.deletionTimestamp === undefined;
}

/** What the README's commands name in place of this cluster's addresses. */
export const replacements = {
  'REDIS_URL=…': `REDIS_URL='${addresses.redisUrl}'`,
  'MONGODB_URI=…': `MONGODB_URI='${addresses.mongodbUri}'`,
  'image.repository=registry.example/feedmesh': [
    `image.repository=${image.repository}`,
    `--set image.tag=${image.tag}`,
    // Everything in this cluster has a private address.
    `--set allowNetworks='{10.97.0.0/16,10.98.0.0/24,10.99.0.0/16}'`,
    `--set settings.LOG_LEVEL=info`,
    // The load comes without keys.
    `--set auth.required=false`,
  ].join(' '),
} as const;

/** The same command with the addresses of this cluster in place of those of the example. */
export function fillIn(command: string, own: Readonly<Record<string, string>>): string {
  return Object.entries(own).reduce((text, [example, value]) => text.replace(example, () => value), command);
}

/** Reads again and again until there is something else than undefined or false; throws after the limit. */
export async function eventually<Read>(
  what: string,
  read: () => Promise<Read | undefined | false>,
  limitSeconds = 300,
): Promise<Read> {
  const deadline = Date.now() + limitSeconds * 1000;
  let reason: unknown;
  while (Date.now() < deadline) {
    try {
      const found = await read();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      reason = error;
    }
    await delay(200);
  }
  throw new Error(`not within ${limitSeconds} s: ${what}`, { cause: reason });
}
