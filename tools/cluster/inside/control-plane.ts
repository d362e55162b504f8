import { connect } from 'node:net';
import { join } from 'node:path';
import { outcome, run } from '#programs';
import { versions } from '../build/go-programs.ts';
import { nodeAddress } from '../namespaces.ts';
import type { ControlPlanePrograms } from '../programs.ts';
import type { Background } from './background.ts';
import { Certificates } from './certificates.ts';

export const podNetwork = '10.97.0.0/16';
export const serviceNetwork = '10.99.0.0/16';

const etcdAddress = 'http://127.0.0.1:2379';

/** An API server with its etcd, and the programs that talk to it. */
export class ControlPlane {
  readonly certificates: Certificates;
  /** The version of Kubernetes. */
  readonly version = versions.kubernetes;
  readonly #programs: ControlPlanePrograms;
  readonly #background: Background;

  private constructor(programs: ControlPlanePrograms, background: Background, certificates: Certificates) {
    this.#programs = programs;
    this.#background = background;
    this.certificates = certificates;
  }

  /** Starts etcd and the API server in this network namespace. Throws `BackgroundError`. */
  static async start(
    programs: ControlPlanePrograms,
    background: Background,
    folder: string,
  ): Promise<ControlPlane> {
    const certificates = await Certificates.make(join(folder, 'certificates'));
    const plane = new ControlPlane(programs, background, certificates);
    await plane.#startEtcd(join(folder, 'etcd'));
    await plane.#startApiServer();
    return plane;
  }

  /** Starts what makes pods of Deployments and places them. */
  async startControllers(): Promise<void> {
    const { certificates } = this;
    const as = (holder: 'controller-manager' | 'scheduler'): string[] =>
      ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'].map(
        (flag) => `--${flag}=${certificates.kubeconfig(holder)}`,
      );
    await this.#start('kube-controller-manager', 10257, [
      ...as('controller-manager'),
      '--leader-elect=false',
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${certificates.path('accounts.key')}`,
      `--root-ca-file=${certificates.path('ca.crt')}`,
      // A test has no time for the five minutes of the default.
      '--horizontal-pod-autoscaler-sync-period=5s',
      '--horizontal-pod-autoscaler-downscale-stabilization=15s',
      '--allocate-node-cidrs=true',
      `--cluster-cidr=${podNetwork}`,
      `--service-cluster-ip-range=${serviceNetwork}`,
    ]);
    await this.#start('kube-scheduler', 10259, [...as('scheduler'), '--leader-elect=false']);
  }

  /** Runs kubectl as the administrator, and returns its stdout. Throws `CommandError`. */
  kubectl(args: readonly string[], input = ''): Promise<string> {
    return run(this.program('kubectl'), args, { input, environment: this.environment });
  }

  /** Runs kubectl, and returns the exit code and both outputs. */
  tryKubectl(args: readonly string[], input = ''): ReturnType<typeof outcome> {
    return outcome(this.program('kubectl'), args, { input, environment: this.environment });
  }

  /** What the API server returns to `kubectl … --output json`. */
  async read<Read>(args: readonly string[]): Promise<Read> {
    return JSON.parse(await this.kubectl([...args, '--output', 'json'])) as Read;
  }

  /** Applies objects of Kubernetes. */
  async apply(...objects: readonly object[]): Promise<void> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects };
    await this.kubectl(['apply', '--server-side', '--filename', '-'], JSON.stringify(list));
  }

  /** Runs Helm as the administrator, and returns its stdout. Throws `CommandError`. */
  helm(args: readonly string[]): Promise<string> {
    return run(this.#programs.helm, args, { environment: this.environment });
  }

  /** The path of one of Kubernetes' programs. */
  program(name: string): string {
    return join(this.#programs.kubernetes, name);
  }

  /** The environment of programs that connect to the API server as the administrator. */
  get environment(): NodeJS.ProcessEnv {
    return { ...process.env, KUBECONFIG: this.certificates.kubeconfig('admin') };
  }

  async #startEtcd(data: string): Promise<void> {
    const peers = 'http://127.0.0.1:2380';
    await this.#background.start(
      'etcd',
      [
        'etcd',
        `--data-dir=${data}`,
        // The cluster does not outlive its machine.
        '--unsafe-no-fsync',
        `--listen-client-urls=${etcdAddress}`,
        `--advertise-client-urls=${etcdAddress}`,
        `--listen-peer-urls=${peers}`,
        `--initial-advertise-peer-urls=${peers}`,
        `--initial-cluster=default=${peers}`,
      ],
      async () => (await fetch(`${etcdAddress}/health`)).ok,
    );
  }

  async #startApiServer(): Promise<void> {
    const path = (file: string): string => this.certificates.path(file);
    const headers = { username: 'User', group: 'Group' };
    await this.#background.start(
      'kube-apiserver',
      [
        this.program('kube-apiserver'),
        `--etcd-servers=${etcdAddress}`,
        `--bind-address=${nodeAddress}`,
        `--advertise-address=${nodeAddress}`,
        '--secure-port=6443',
        `--service-cluster-ip-range=${serviceNetwork}`,
        `--tls-cert-file=${path('apiserver.crt')}`,
        `--tls-private-key-file=${path('apiserver.key')}`,
        `--client-ca-file=${path('ca.crt')}`,
        `--service-account-key-file=${path('accounts.pub')}`,
        `--service-account-signing-key-file=${path('accounts.key')}`,
        '--service-account-issuer=https://kubernetes.default.svc',
        '--authorization-mode=Node,RBAC',
        '--enable-admission-plugins=NodeRestriction',
        `--kubelet-client-certificate=${path('admin.crt')}`,
        `--kubelet-client-key=${path('admin.key')}`,
        `--kubelet-certificate-authority=${path('ca.crt')}`,
        '--kubelet-preferred-address-types=InternalIP',
        // For the API of external metrics, which KEDA serves.
        `--requestheader-client-ca-file=${path('ca.crt')}`,
        '--requestheader-allowed-names=aggregator',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        ...Object.entries(headers).map(([of, name]) => `--requestheader-${of}-headers=X-Remote-${name}`),
        `--proxy-client-cert-file=${path('aggregator.crt')}`,
        `--proxy-client-key-file=${path('aggregator.key')}`,
        '--enable-aggregator-routing=true',
      ],
      async () => (await this.kubectl(['get', '--raw', '/readyz'])) === 'ok',
    );
  }

  async #start(name: string, port: number, args: readonly string[]): Promise<void> {
    const bind = ['--bind-address=127.0.0.1', `--secure-port=${port}`];
    await this.#background.start(name, [this.program(name), ...bind, ...args], () => accepts(port));
  }
}

/** Whether a server listens on this port of 127.0.0.1. */
function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
