import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { goProgram, outcome } from '#programs';
import type { Say } from '#programs';
import { podSecurityViolations } from './pod-security.ts';
import type { Manifest } from './pod-security.ts';
import { commandPages, installArguments, operatorCommands } from './operator-commands.ts';
import type { CommandPage } from './operator-commands.ts';
import { customSchemas, kubernetesSchemas, kubernetesVersions } from './programs.ts';

const chart = 'deploy/chart';
const examples = 'deploy/chart/tests/values';

/**
 * Lints the chart, renders it with each of the example values, holds what comes out against the schemas of
 * three versions of Kubernetes, those of custom resources and the restricted Pod Security Standard, renders
 * it with the commands of the pages for operators, and runs its unit tests. Returns what is wrong, a text
 * each.
 */
export async function checkChart(say: Say): Promise<string[]> {
  const programs = {
    helm: await goProgram('helm', say),
    kubeconform: await goProgram('kubeconform', say),
    unittest: await goProgram('helm-unittest', say),
    schemas: await kubernetesSchemas(say),
    customSchemas: await customSchemas(say),
  };
  const faults: string[] = [];
  for (const file of await readdir(examples))
    for (const version of kubernetesVersions) {
      const found = await checkRendered(programs, join(examples, file), version);
      say(`${found.length === 0 ? 'ok' : 'WRONG'}  ${file} for Kubernetes ${version}`);
      faults.push(...found.map((fault) => `${file}, Kubernetes ${version}: ${fault}`));
    }
  for (const page of commandPages) faults.push(...(await checkPage(programs.helm, page)));
  faults.push(...(await runUnitTests(programs.unittest, say)));
  return faults;
}

interface Programs {
  readonly helm: string;
  readonly kubeconform: string;
  readonly schemas: string;
  readonly customSchemas: string;
}

async function checkRendered(
  { helm, kubeconform, schemas, customSchemas }: Programs,
  values: string,
  version: string,
): Promise<string[]> {
  const of = ['--values', values, '--kube-version', version];
  const lint = await outcome(helm, ['lint', '--strict', chart, ...of]);
  if (lint.code !== 0) return [lint.stdout + lint.stderr];
  const render = await outcome(helm, ['template', 'example', chart, '--namespace', 'feedmesh', ...of]);
  if (render.code !== 0) return [render.stderr];
  const folders = [`${schemas}/v${version}-local-strict`, customSchemas];
  const locations = folders.flatMap((folder) => [
    '-schema-location',
    `${folder}/{{ .ResourceKind }}{{ .KindSuffix }}.json`,
  ]);
  const against = ['-strict', '-summary', '-kubernetes-version', version, ...locations];
  const fits = await outcome(kubeconform, against, { input: render.stdout });
  return [
    ...(fits.code === 0 ? [] : [fits.stdout + fits.stderr]),
    ...podSecurityViolations((loadAll(render.stdout) as (Manifest | null)[]).filter((one) => one !== null)),
  ];
}

async function checkPage(helm: string, page: CommandPage): Promise<string[]> {
  const options = installArguments(await operatorCommands(page)).filter((option) => option !== '--wait');
  const render = await outcome(helm, ['template', ...options, '--kube-version', kubernetesVersions[0]]);
  return render.code === 0 ? [] : [`the commands of ${page}: ${render.stderr}`];
}

/** Runs in a copy, because helm-unittest writes beside the tests. */
async function runUnitTests(program: string, say: Say): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'feedmesh-chart-'));
  try {
    await cp(chart, join(folder, 'feedmesh'), { recursive: true });
    const tests = await outcome(program, [join(folder, 'feedmesh')]);
    say(`${tests.stdout}${tests.stderr}`);
    return tests.code === 0 ? [] : ['unit tests have failed'];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
