import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile, chmod } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { definitions, writeSchemas } from './custom-resources.ts';

const execute = promisify(execFile);

/** A program that Go builds from its module. */
interface GoProgram {
  readonly module: string;
  readonly version: string;
  /** The folder of its `main` package in the module. */
  readonly main: string;
}

const goPrograms = {
  helm: { module: 'helm.sh/helm/v3', version: 'v3.22.0', main: 'cmd/helm' },
  kubeconform: { module: 'github.com/yannh/kubeconform', version: 'v0.8.0', main: 'cmd/kubeconform' },
  'helm-unittest': {
    module: 'github.com/helm-unittest/helm-unittest',
    version: 'v1.1.2',
    main: 'cmd/helm-unittest',
  },
} as const satisfies Readonly<Record<string, GoProgram>>;

/** The schemas of Kubernetes' objects, from a Python package, and the versions that the chart must fit. */
const schemas = {
  requirement: 'kubernetes-validate==1.37.0',
  versions: ['1.34.0', '1.35.0', '1.36.0'],
} as const;
export const kubernetesVersions = schemas.versions;

/** Where tools are kept by version, outside of any checkout. */
function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME'];
  const caches = base === undefined || base === '' ? join(homedir(), '.cache') : base;
  return join(caches, 'feedmesh', 'chart');
}

/** The path of a program, which is built if it is missing: that needs `go`, and minutes the first time. */
export async function goProgram(name: keyof typeof goPrograms, say: (line: string) => void): Promise<string> {
  const { module, version, main } = goPrograms[name];
  const kept = join(cacheFolder(), `${name}-${version}`);
  if (existsSync(kept)) return kept;
  say(`building ${name} ${version} with Go`);
  return inWorkplace(async (folder) => {
    const source = await goModule(module, version, folder);
    // A module with replacements can't be installed by its name, only built from a copy.
    const copy = join(folder, 'source');
    await cp(source, copy, { recursive: true });
    await execute('chmod', ['-R', 'u+w', copy]);
    const built = join(folder, name);
    await execute('go', ['build', '-ldflags', '-s -w', '-o', built, `./${main}`], {
      cwd: copy,
      maxBuffer: 64 * 1024 * 1024,
    });
    await chmod(built, 0o755);
    await rename(built, kept);
    return kept;
  });
}

/** The folder of a Go module, which is downloaded if it is missing. */
async function goModule(module: string, version: string, cwd: string): Promise<string> {
  const { stdout } = await execute('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

/** The folder with the schemas of the custom resources that the chart can make, as kubeconform names them. */
export async function customSchemas(say: (line: string) => void): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(definitions)).digest('hex').slice(0, 12);
  const kept = join(cacheFolder(), `custom-resources-${digest}`);
  if (existsSync(kept)) return kept;
  say('downloading the definitions of custom resources');
  return inWorkplace(async (folder) => {
    const chosen = join(folder, 'chosen');
    for (const { module, version, file } of definitions)
      await writeSchemas(join(await goModule(module, version, folder), file), chosen);
    await rename(chosen, kept);
    return kept;
  });
}

/** The folder with the schemas of each of `kubernetesVersions`, as kubeconform names them. */
export async function kubernetesSchemas(say: (line: string) => void): Promise<string> {
  const kept = join(cacheFolder(), `schemas-${schemas.requirement.replace('==', '-')}`);
  if (existsSync(kept)) return kept;
  say(`downloading the schemas of Kubernetes (${schemas.requirement})`);
  return inWorkplace(async (folder) => {
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', folder];
    await execute('python3', [...pip, schemas.requirement]);
    const wheel = (await readdir(folder)).find((file) => file.endsWith('.whl'));
    if (wheel === undefined) throw new Error(`pip brought no wheel for ${schemas.requirement}`);
    await execute('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    const chosen = join(folder, 'chosen');
    for (const version of schemas.versions) {
      const name = `v${version}-local-strict`;
      const from = join(folder, 'kubernetes_validate', 'kubernetes-json-schema', name);
      await cp(from, join(chosen, name), { recursive: true });
      await makeReferencesRelative(join(chosen, name), join(kept, name));
    }
    await rename(chosen, kept);
    return kept;
  });
}

/** The schemas refer to their definitions by a path from the root of a server. */
async function makeReferencesRelative(folder: string, final: string): Promise<void> {
  for (const file of await readdir(folder)) {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll('"/api/_definitions.json', `"file://${final}/_definitions.json`));
  }
}

async function inWorkplace<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await mkdir(cacheFolder(), { recursive: true });
  const folder = await mkdtemp(join(cacheFolder(), 'work-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
