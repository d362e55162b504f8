import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeAddress } from '../namespaces.ts';
import type { Background } from './background.ts';
import type { ControlPlane } from './control-plane.ts';

const namespace = 'keda';
const adapterPort = 6444;
const externalMetrics = 'v1beta1.external.metrics.k8s.io';

/**
 * Installs KEDA: its definitions, its operator and its adapter beside the control plane, and the API of
 * external metrics, which the adapter serves. Waits until the API server reaches it.
 * @param programs the folder of `keda()`
 */
export async function startKeda(
  plane: ControlPlane,
  background: Background,
  programs: string,
  folder: string,
): Promise<void> {
  const certificates = join(folder, 'keda');
  await mkdir(certificates);
  const files = { 'ca.crt': 'ca.crt', 'tls.crt': 'keda.crt', 'tls.key': 'keda.key' };
  for (const [file, from] of Object.entries(files))
    await copyFile(plane.certificates.path(from), join(certificates, file));
  await plane.kubectl(['apply', '--server-side', '--filename', join(programs, 'crd')]);
  await plane.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=120s']);
  await plane.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const environment = {
    ...plane.environment,
    KEDA_CLUSTER_OBJECT_NAMESPACE: namespace,
    POD_NAMESPACE: namespace,
    POD_NAME: 'keda',
    WATCH_NAMESPACE: '',
  };
  await background.start(
    'keda-operator',
    [
      join(programs, 'operator'),
      `--kubeconfig=${plane.certificates.kubeconfig('admin')}`,
      `--cert-dir=${certificates}`,
      '--metrics-bind-address=127.0.0.1:8180',
      '--health-probe-bind-address=127.0.0.1:8181',
      '--metrics-service-bind-address=127.0.0.1:9666',
      '--enable-webhook-patching=false',
      '--enable-apiservice-patching=false',
    ],
    async () => (await fetch('http://127.0.0.1:8181/readyz')).ok,
    environment,
  );
  await startAdapter(plane, background, programs, certificates, environment);
}

async function startAdapter(
  plane: ControlPlane,
  background: Background,
  programs: string,
  certificates: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  await plane.apply(...adapterService());
  const kubeconfigs = ['authentication', 'authorization', 'lister'].map(
    (name) => `--${name}-kubeconfig=${plane.certificates.kubeconfig('admin')}`,
  );
  await background.start(
    'keda-adapter',
    [
      join(programs, 'adapter'),
      '--port=8182',
      `--secure-port=${adapterPort}`,
      `--cert-dir=${certificates}`,
      `--tls-cert-file=${join(certificates, 'tls.crt')}`,
      `--tls-private-key-file=${join(certificates, 'tls.key')}`,
      `--client-ca-file=${join(certificates, 'ca.crt')}`,
      '--metrics-service-address=localhost:9666',
      ...kubeconfigs,
    ],
    async () => {
      const available = '{.status.conditions[?(@.type=="Available")].status}';
      const of = ['get', 'apiservice', externalMetrics, '--output', `jsonpath=${available}`];
      return (await plane.kubectl(of)) === 'True';
    },
    environment,
  );
}

/** What leads the API server to the adapter, which is no pod. */
function adapterService(): object[] {
  const metadata = { name: 'keda-metrics-apiserver', namespace };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { ports: [{ name: 'https', port: 443, targetPort: adapterPort }] },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': metadata.name } },
      addressType: 'IPv4',
      ports: [{ name: 'https', port: adapterPort }],
      endpoints: [{ addresses: [nodeAddress], conditions: { ready: true } }],
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: externalMetrics },
      spec: {
        group: 'external.metrics.k8s.io',
        version: 'v1beta1',
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { name: metadata.name, namespace },
      },
    },
  ];
}
