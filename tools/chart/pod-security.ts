/** An object of Kubernetes, as far as pods are concerned. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Partial<PodSpec> & { readonly template?: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly securityContext?: SecurityContext;
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Readonly<Record<string, unknown>>[];
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly securityContext?: SecurityContext;
}

interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number | null;
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  readonly seccompProfile?: { readonly type: string };
}

const volumeKinds = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/**
 * What keeps the pods of these objects from a namespace that enforces the level `restricted` of the Pod
 * Security Standards, a sentence each.
 */
export function podSecurityViolations(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ kind, metadata, spec }) => {
    const pod = kind === 'Pod' ? spec : spec?.template?.spec;
    if (pod?.containers === undefined) return [];
    return violationsOf({ ...pod, containers: pod.containers }).map(
      (violation) => `${kind} ${metadata.name}: ${violation}`,
    );
  });
}

function violationsOf(pod: PodSpec): string[] {
  const host = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => pod[name] === true);
  const volumes = (pod.volumes ?? []).flatMap((volume) =>
    Object.keys(volume).filter((name) => name !== 'name' && !volumeKinds.includes(name)),
  );
  return [
    ...host.map((name) => `${name} must not be set`),
    ...volumes.map((name) => `volumes must not be of the kind ${name}`),
    ...[...pod.containers, ...(pod.initContainers ?? [])].flatMap((container) =>
      containerViolations(container, pod.securityContext ?? {}),
    ),
  ];
}

function containerViolations(container: Container, pod: SecurityContext): string[] {
  const own = container.securityContext ?? {};
  const { runAsNonRoot, runAsUser, seccompProfile } = { ...pod, ...own };
  const added = (own.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
  const rules: readonly (readonly [isMet: boolean, rule: string])[] = [
    [runAsNonRoot === true, 'runAsNonRoot must be true'],
    [runAsUser !== 0, 'runAsUser must not be 0'],
    [own.privileged !== true, 'privileged must not be set'],
    [own.allowPrivilegeEscalation === false, 'allowPrivilegeEscalation must be false'],
    [own.capabilities?.drop?.includes('ALL') === true, 'capabilities.drop must have ALL'],
    [added.length === 0, `capabilities.add must not have ${added.join(', ')}`],
    [
      ['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? ''),
      'seccompProfile.type must be RuntimeDefault or Localhost',
    ],
    [(container.ports ?? []).every(({ hostPort }) => !hostPort), 'hostPort must not be set'],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, rule]) => `container ${container.name}: ${rule}`);
}
