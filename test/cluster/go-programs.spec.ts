import { expect, test } from '@jest/globals';
import { moduleFile, versions, withTriggers } from '../../tools/cluster/build/go-programs.ts';

test('parts of Kubernetes are required in the version of its release', () => {
  const published = [
    'module k8s.io/kubernetes',
    'go 1.26.0',
    'replace (',
    '\tk8s.io/api => ./staging/src/k8s.io/api',
    '\tk8s.io/client-go => ./staging/src/k8s.io/client-go',
    ')',
  ].join('\n');
  const release = `v${versions.kubernetes.replace('1.', '0.')}`;
  expect(moduleFile(published).split('\n\n')).toEqual([
    'module cluster',
    'go 1.26.0',
    `require k8s.io/kubernetes v${versions.kubernetes}`,
    `replace k8s.io/api => k8s.io/api ${release}`,
    `replace k8s.io/client-go => k8s.io/client-go ${release}`,
    '',
  ]);
});

test('triggers that the chart does not use are left out', () => {
  const source = [
    '\tcase "cassandra":\n\t\treturn scalers.NewCassandraScaler(config)\n',
    '\tcase "cpu":\n\t\treturn scalers.NewCPUMemoryScaler(corev1.ResourceCPU, config)\n',
    '\t// TODO: use other way for test.\n\tcase "mock":\n\t\treturn scalers.NewMockScaler(config)\n',
    '\tdefault:\n\t\treturn nil, fmt.Errorf("none")\n',
  ];
  expect(withTriggers(source.join(''), ['cpu'])).toBe(`${source[1]}${source[3]}`);
});
