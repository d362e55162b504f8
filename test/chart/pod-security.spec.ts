import { expect, test } from '@jest/globals';
import { podSecurityViolations } from '../../tools/chart/pod-security.ts';

const container = {
  name: 'a',
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};
const securityContext = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
const deployment = (spec: object): Parameters<typeof podSecurityViolations>[0] => [
  {
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { template: { spec: { securityContext, containers: [container], ...spec } } },
  },
  { kind: 'Service', metadata: { name: 's' }, spec: {} },
];

test('a pod of the restricted standard has no violation', () => {
  expect(podSecurityViolations(deployment({ volumes: [{ name: 'ca', secret: {} }] }))).toEqual([]);
});

test.each([
  ['hostNetwork must not be set', { hostNetwork: true }],
  ['volumes must not be of the kind hostPath', { volumes: [{ name: 'v', hostPath: {} }] }],
  [
    'container a: runAsNonRoot must be true',
    { securityContext: { ...securityContext, runAsNonRoot: false } },
  ],
  ['container a: runAsUser must not be 0', { securityContext: { ...securityContext, runAsUser: 0 } }],
  [
    'container a: seccompProfile.type must be RuntimeDefault or Localhost',
    { securityContext: { runAsNonRoot: true } },
  ],
  [
    'container a: allowPrivilegeEscalation must be false',
    { containers: [{ name: 'a', securityContext: { capabilities: { drop: ['ALL'] } } }] },
  ],
  [
    'container a: capabilities.drop must have ALL',
    { containers: [{ name: 'a', securityContext: { allowPrivilegeEscalation: false } }] },
  ],
  ['container a: hostPort must not be set', { containers: [{ ...container, ports: [{ hostPort: 80 }] }] }],
])('%s', (violation, spec) => {
  expect(podSecurityViolations(deployment(spec))).toEqual([`Deployment d: ${violation}`]);
});

test('a pod without a Deployment is checked too', () => {
  const spec = { securityContext, containers: [{ ...container, securityContext: {} }] };
  expect(podSecurityViolations([{ kind: 'Pod', metadata: { name: 'p' }, spec }])).toContain(
    'Pod p: container a: allowPrivilegeEscalation must be false',
  );
});
