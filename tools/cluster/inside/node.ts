import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '#programs';
import { nodeAddress } from '../namespaces.ts';
import type { Place } from '../namespaces.ts';
import type { ClusterPrograms } from '../programs.ts';
import type { Background } from './background.ts';
import { nodeName } from './certificates.ts';
import { podNetwork } from './control-plane.ts';
import type { ControlPlane } from './control-plane.ts';

/** The node: containerd with the images, kubelet, kube-proxy, and the resolver of names. */
export class ClusterNode {
  readonly #programs: ClusterPrograms;
  readonly #background: Background;
  readonly #plane: ControlPlane;
  readonly #place: Place;

  constructor(programs: ClusterPrograms, background: Background, plane: ControlPlane, place: Place) {
    this.#programs = programs;
    this.#background = background;
    this.#plane = plane;
    this.#place = place;
  }

  /** Starts all of it, and waits until Kubernetes calls the node ready. */
  async start(): Promise<void> {
    await mkdir(this.#path(''), { recursive: true });
    await this.#startContainerd();
    await this.#startResolver();
    await this.#startKubelet();
    await this.#startProxy();
  }

  /** Gives an image that is loaded another name. */
  async tagImage(image: string, name: string): Promise<void> {
    await this.#ctr(['images', 'tag', '--force', image, name]);
  }

  async #startContainerd(): Promise<void> {
    await mkdir(this.#path('cni'));
    await writeFile(this.#path('cni/10-pods.conflist'), JSON.stringify(podInterfaces));
    const socket = this.#path('containerd.sock');
    await writeFile(this.#path('containerd.toml'), this.#containerdSettings(socket));
    const command = ['containerd', '--config', this.#path('containerd.toml')] as const;
    await this.#background.start('containerd', command, async () => {
      await this.#ctr(['version']);
      return true;
    });
    for (const archive of [this.#programs.pause, this.#programs.image])
      await this.#ctr(['images', 'import', archive]);
  }

  #containerdSettings(socket: string): string {
    const cri = 'plugins."io.containerd.grpc.v1.cri"';
    const runc = `${cri}.containerd.runtimes.runc`;
    return [
      'version = 2',
      `root = "${this.#path('containerd')}"`,
      'state = "/run/containerd"',
      'oom_score = 0',
      `[grpc]\naddress = "${socket}"`,
      `[${cri}]`,
      'sandbox_image = "localhost/pause:1"',
      // A container of this machine may not be given a lower score than it has itself.
      'restrict_oom_score_adj = true',
      'disable_apparmor = true',
      `[${cri}.cni]\nbin_dir = "/usr/lib/cni"\nconf_dir = "${this.#path('cni')}"`,
      `[${cri}.containerd]\nsnapshotter = "overlayfs"\ndefault_runtime_name = "runc"`,
      `[${runc}]\nruntime_type = "io.containerd.runc.v2"`,
      `[${runc}.options]\nBinaryName = "/usr/sbin/runc"\nSystemdCgroup = false`,
      `["plugins"."io.containerd.internal.v1.opt"]\npath = "${this.#path('opt')}"`,
      '',
    ].join('\n');
  }

  async #startResolver(): Promise<void> {
    const kubeconfig = this.#plane.certificates.kubeconfig('admin');
    const kubernetes = `kubernetes cluster.local {\n kubeconfig ${kubeconfig}\n}`;
    await writeFile(this.#path('Corefile'), `.:53 {\nerrors\n${kubernetes}\n}\n`);
    const command = [this.#programs.coredns, '-conf', this.#path('Corefile')] as const;
    await this.#background.start('coredns', command, async () => {
      const found = await run('getent', ['hosts', 'kubernetes.default.svc']);
      return found !== '';
    });
  }

  async #startKubelet(): Promise<void> {
    const { certificates } = this.#plane;
    const settings = {
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      failCgroupV1: false,
      cgroupDriver: 'cgroupfs',
      cgroupRoot: this.#place.cgroup,
      enforceNodeAllocatable: [],
      containerRuntimeEndpoint: `unix://${this.#path('containerd.sock')}`,
      oomScoreAdj: 0,
      failSwapOn: false,
      makeIPTablesUtilChains: false,
      tlsCertFile: certificates.path('kubelet.crt'),
      tlsPrivateKeyFile: certificates.path('kubelet.key'),
      authentication: {
        x509: { clientCAFile: certificates.path('ca.crt') },
        anonymous: { enabled: false },
        webhook: { enabled: true },
      },
      authorization: { mode: 'Webhook' },
      clusterDNS: [nodeAddress],
      clusterDomain: 'cluster.local',
      podLogsDir: this.#path('pod-logs'),
      volumePluginDir: this.#path('volume-plugins'),
      // What is measured is the whole machine, which others use too.
      evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
      imageGCHighThresholdPercent: 100,
    };
    await writeFile(this.#path('kubelet.json'), JSON.stringify(settings));
    await this.#background.start(
      'kubelet',
      [
        this.#plane.program('kubelet'),
        `--config=${this.#path('kubelet.json')}`,
        `--kubeconfig=${certificates.kubeconfig('kubelet')}`,
        `--root-dir=${this.#path('kubelet')}`,
        `--cert-dir=${this.#path('kubelet-certificates')}`,
        `--hostname-override=${nodeName}`,
        `--node-ip=${nodeAddress}`,
      ],
      async () => {
        const ready = '{.status.conditions[?(@.type=="Ready")].status}';
        return (
          (await this.#plane.kubectl(['get', 'node', nodeName, '--output', `jsonpath=${ready}`])) === 'True'
        );
      },
    );
  }

  async #startProxy(): Promise<void> {
    const settings = {
      apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
      kind: 'KubeProxyConfiguration',
      mode: 'nftables',
      clusterCIDR: podNetwork,
      clientConnection: { kubeconfig: this.#plane.certificates.kubeconfig('admin') },
      oomScoreAdj: 0,
      hostnameOverride: nodeName,
      // The limits of connections are the machine's own.
      conntrack: { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
      healthzBindAddress: '127.0.0.1:10256',
      metricsBindAddress: '127.0.0.1:10249',
    };
    await writeFile(this.#path('kube-proxy.json'), JSON.stringify(settings));
    const command = [this.#plane.program('kube-proxy'), `--config=${this.#path('kube-proxy.json')}`] as const;
    const health = 'http://127.0.0.1:10256/healthz';
    await this.#background.start('kube-proxy', command, async () => (await fetch(health)).ok);
  }

  #ctr(args: readonly string[]): Promise<string> {
    const socket = this.#path('containerd.sock');
    return run('ctr', ['--address', socket, '--namespace', 'k8s.io', ...args]);
  }

  #path(file: string): string {
    return join(this.#place.folder, 'node', file);
  }
}

/** Each pod has a link of its own to the node, which routes between them. */
const podInterfaces = {
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      type: 'ptp',
      ipMasq: false,
      ipam: {
        type: 'host-local',
        ranges: [[{ subnet: '10.97.0.0/16' }]],
        routes: [{ dst: '0.0.0.0/0' }],
      },
    },
  ],
};
