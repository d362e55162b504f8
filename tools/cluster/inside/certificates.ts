import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '#programs';
import { nodeAddress } from '../namespaces.ts';

export const nodeName = 'node';
export const apiAddress = `https://${nodeAddress}:6443`;

/** Who has a certificate: the file, and the subject that Kubernetes knows it by. */
const holders = {
  apiserver: '/CN=kube-apiserver',
  admin: '/O=system:masters/CN=admin',
  'controller-manager': '/CN=system:kube-controller-manager',
  scheduler: '/CN=system:kube-scheduler',
  kubelet: `/O=system:nodes/CN=system:node:${nodeName}`,
  aggregator: '/CN=aggregator',
  keda: '/CN=keda',
};

type Holder = keyof typeof holders;

const names = [
  ...[nodeAddress, '127.0.0.1', '10.99.0.1'].map((address) => `IP:${address}`),
  ...['localhost', nodeName, 'kubernetes.default.svc', 'keda-operator.keda.svc.cluster.local'].map(
    (name) => `DNS:${name}`,
  ),
];

/** The certificates of a cluster, and a kubeconfig for each of those who connect to the API server. */
export class Certificates {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes all of them, valid for two days, in a new folder. */
  static async make(folder: string): Promise<Certificates> {
    await mkdir(folder);
    const made = new Certificates(folder);
    await made.#openssl(
      'req',
      '-x509',
      ...ecKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      ...subject('/CN=ca'),
    );
    await made.#openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'accounts.key');
    await made.#openssl('ec', '-in', 'accounts.key', '-pubout', '-out', 'accounts.pub');
    const extensions = `subjectAltName=${names.join()}\nextendedKeyUsage=serverAuth,clientAuth\n`;
    await writeFile(join(folder, 'extensions'), extensions);
    for (const [holder, name] of Object.entries(holders)) await made.#issue(holder, name);
    return made;
  }

  /** The path of `HOLDER.crt`, `HOLDER.key`, `ca.crt`, `accounts.key` or `accounts.pub`. */
  path(file: string): string {
    return join(this.folder, file);
  }

  kubeconfig(holder: Exclude<Holder, 'apiserver' | 'aggregator' | 'keda'>): string {
    return this.path(`${holder}.kubeconfig`);
  }

  async #issue(holder: string, name: string): Promise<void> {
    const [key, request, certificate] = [`${holder}.key`, `${holder}.csr`, `${holder}.crt`];
    await this.#openssl('req', ...ecKey, '-keyout', key, '-out', request, ...subject(name));
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions'];
    await this.#openssl('x509', '-req', '-days', '2', '-in', request, '-out', certificate, ...authority);
    const cluster = { server: apiAddress, 'certificate-authority': this.path('ca.crt') };
    const user = { 'client-certificate': this.path(certificate), 'client-key': this.path(key) };
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'cluster', cluster }],
      users: [{ name: holder, user }],
      contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: holder } }],
      'current-context': 'cluster',
    };
    await writeFile(this.path(`${holder}.kubeconfig`), JSON.stringify(kubeconfig));
  }

  async #openssl(...args: readonly string[]): Promise<void> {
    await run('openssl', args, { cwd: this.folder });
  }
}

const ecKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const subject = (name: string): string[] => ['-subj', name];
