import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './command.ts';
import { keep } from './keep.ts';
import type { Say } from './keep.ts';

/** A program that Go builds from its module. */
export interface GoProgram {
  readonly module: string;
  readonly version: string;
  /** The folder of its `main` package in the module. */
  readonly main: string;
  /** The tags that it is built with. */
  readonly tags?: string;
}

/** The programs with which the chart is checked and installed, and the alerts are checked. */
export const goPrograms = {
  helm: { module: 'helm.sh/helm/v3', version: 'v3.22.0', main: 'cmd/helm' },
  kubeconform: { module: 'github.com/yannh/kubeconform', version: 'v0.8.0', main: 'cmd/kubeconform' },
  'helm-unittest': {
    module: 'github.com/helm-unittest/helm-unittest',
    version: 'v1.1.2',
    main: 'cmd/helm-unittest',
  },
  // Without what finds targets in a cloud, which rules do not need.
  promtool: {
    module: 'github.com/prometheus/prometheus',
    version: 'v0.316.0',
    main: 'cmd/promtool',
    tags: 'remove_all_sd',
  },
} as const satisfies Readonly<Record<string, GoProgram>>;

/** The path of a program, which is built if it is missing: that needs `go`, and minutes the first time. */
export async function goProgram(name: keyof typeof goPrograms, say: Say): Promise<string> {
  const { module, version, main, tags = '' }: GoProgram = goPrograms[name];
  return keep('chart', `${name}-${version}`, async (folder) => {
    say(`building ${name} ${version} with Go`);
    // A module with replacements can't be installed by its name, only built from a copy.
    const copy = await writableCopy(await goModule(module, version, folder), join(folder, 'source'));
    const built = join(folder, name);
    const options = ['-tags', tags, '-ldflags', '-s -w', '-o', built];
    // A workspace may name modules that are not part of this one.
    const environment = { ...process.env, GOWORK: 'off' };
    await run('go', ['build', ...options, `./${main}`], { cwd: copy, environment });
    await chmod(built, 0o755);
    return built;
  });
}

/** The folder of a Go module, which is downloaded if it is missing. */
export async function goModule(module: string, version: string, cwd: string): Promise<string> {
  const found = await run('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd });
  return (JSON.parse(found) as { readonly Dir: string }).Dir;
}

/** Copies a module, whose own files nobody may write, and returns the folder of the copy. */
export async function writableCopy(source: string, target: string): Promise<string> {
  await cp(source, target, { recursive: true });
  await run('chmod', ['-R', 'u+w', target]);
  return target;
}
