import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { goModule, keep, run, writableCopy } from '#programs';
import type { Say } from '#programs';

/** What each folder of programs is built from. */
export const versions = { kubernetes: '1.36.3', coredns: '1.15.0', keda: '2.21.0' } as const;

const kubernetesPrograms = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
  'kubectl',
];

const go = (
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = { CGO_ENABLED: '0' },
): Promise<string> =>
  run('go', args, { cwd, environment: { ...process.env, GOFLAGS: '-buildvcs=false', ...environment } });

const small = ['-ldflags', '-s -w'];

/**
 * The folder with the programs of Kubernetes. Its modules are published with replacements by folders, which
 * only a checkout has: here each is replaced by the version of the same release.
 */
export async function kubernetes(say: Say): Promise<string> {
  const version = versions.kubernetes;
  return keep('cluster', `kubernetes-${version}`, async (folder) => {
    say(`building Kubernetes ${version} with Go, which takes ten minutes on two cores`);
    const module = await goModule('k8s.io/kubernetes', `v${version}`, folder);
    await writeFile(join(folder, 'go.mod'), moduleFile(await readFile(join(module, 'go.mod'), 'utf8')));
    const imports = kubernetesPrograms.map((name) => `import _ "k8s.io/kubernetes/cmd/${name}"`);
    await writeFile(
      join(folder, 'programs.go'),
      ['//go:build programs', 'package cluster', ...imports, ''].join('\n'),
    );
    await go(['mod', 'tidy', '-e'], folder);
    const built = join(folder, 'built');
    await mkdir(built);
    const names = kubernetesPrograms.map((name) => `k8s.io/kubernetes/cmd/${name}`);
    const [major, minor] = version.split('.');
    const says = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].map(
      (name) => `-X ${name}.gitVersion=v${version} -X ${name}.gitMajor=${major} -X ${name}.gitMinor=${minor}`,
    );
    const flags = ['-mod=mod', '-tags', 'netgo', '-ldflags', ['-s -w', ...says].join(' ')];
    await go(['build', ...flags, '-o', built, ...names], folder, {});
    return built;
  });
}

/** A module that requires Kubernetes, and its parts in the version that belongs to it. */
export function moduleFile(published: string): string {
  const parts = [...published.matchAll(/^\s+(k8s\.io\/[\w-]+) => \.\/staging\//gm)].map(([, name]) => name);
  const release = versions.kubernetes.replace(/^1\./, '0.');
  return [
    'module cluster',
    `go ${/^go (.+)$/m.exec(published)?.[1] ?? '1.26.0'}`,
    `require k8s.io/kubernetes v${versions.kubernetes}`,
    ...parts.map((name) => `replace ${name} => ${name} v${release}`),
    '',
  ].join('\n\n');
}

const dnsServer = `package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

func main() {
	dnsserver.Directives = []string{"errors", "kubernetes"}
	coremain.Run()
}
`;

/** CoreDNS with nothing but what resolves the names of services. */
export async function coredns(say: Say): Promise<string> {
  return keep('cluster', `coredns-${versions.coredns}`, async (folder) => {
    say(`building CoreDNS ${versions.coredns} with Go`);
    const requires = `require github.com/coredns/coredns v${versions.coredns}`;
    await writeFile(join(folder, 'go.mod'), `module dns\n\ngo 1.26.0\n\n${requires}\n`);
    await writeFile(join(folder, 'main.go'), dnsServer);
    await go(['mod', 'tidy'], folder);
    await go(['build', ...small, '-o', 'coredns', '.'], folder);
    return join(folder, 'coredns');
  });
}

/** What of KEDA's triggers the chart uses. The others would bring the clients of every cloud. */
const triggers = {
  names: ['cpu', 'memory', 'metrics-api'],
  files: ['scaler.go', 'cpu_memory_scaler.go', 'metrics_api_scaler.go'],
};

/** The folder with KEDA's `operator` and `adapter`, and its definitions in `crd`. */
export async function keda(say: Say): Promise<string> {
  return keep('cluster', `keda-${versions.keda}`, async (folder) => {
    say(`building KEDA ${versions.keda} with Go`);
    const module = await goModule('github.com/kedacore/keda/v2', `v${versions.keda}`, folder);
    const source = await writableCopy(module, join(folder, 'source'));
    const scalers = join(source, 'pkg/scalers');
    for (const file of await readdir(scalers))
      if (file.endsWith('.go') && !triggers.files.includes(file)) await rm(join(scalers, file));
    // A file of Azure's has what all triggers use.
    await writeFile(
      join(scalers, 'external_metric_type.go'),
      'package scalers\n\nconst externalMetricType = "External"\n',
    );
    const builder = join(source, 'pkg/scaling/scalers_builder.go');
    await writeFile(builder, withTriggers(await readFile(builder, 'utf8'), triggers.names));
    const built = join(folder, 'built');
    await mkdir(built);
    await go(['build', ...small, '-o', `${built}/`, './cmd/operator', './cmd/adapter'], source);
    await rename(join(source, 'config/crd/bases'), join(built, 'crd'));
    return built;
  });
}

/** The Go source that makes triggers, without those of other names. */
export function withTriggers(source: string, names: readonly string[]): string {
  const trigger = /\t(?:\/\/[^\n]*\n\t)?case "([^"]+)":\n\t\treturn scalers\.[^\n]*\n/g;
  return source.replaceAll(trigger, (lines, name: string) => (names.includes(name) ? lines : ''));
}

const pauseProgram = `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGINT, syscall.SIGTERM)
	<-end
}
`;

/** The program of the container that holds the namespaces of a pod. */
export async function pause(): Promise<string> {
  return keep('cluster', 'pause-1', async (folder) => {
    await writeFile(join(folder, 'go.mod'), 'module pause\n\ngo 1.26.0\n');
    await writeFile(join(folder, 'main.go'), pauseProgram);
    await go(['build', ...small, '-o', 'pause', '.'], folder);
    return join(folder, 'pause');
  });
}
