import { protocols } from './table.ts';
import type { Module } from './table.ts';

/** An override of oxlint's configuration: what the files of one module may not import. */
interface LintOverride {
  readonly files: readonly string[];
  readonly rules: { readonly 'no-restricted-imports': readonly unknown[] };
}

const byPath = [
  {
    regex: '^(\\.\\./)+(apps|libs|test|tools|dist)(/|$)',
    message: 'Import another module by its name, #name, never by a path.',
  },
  {
    regex: '^(\\.\\./)+[a-z-]+/src(/|$)',
    message: 'Import another module by its name, #name, never by a path; an app never imports another app.',
  },
];
const everything = ['*', '@*/*', '#*', 'node:*', '!./*', '!../*', '!./**', '!../**'];

/** Returns oxlint's rule for the imports of a module. */
function lintOverride({ folder, imports }: Module): LintOverride {
  const allowed = imports.flatMap((name) => (name === 'node:*' ? ['!node:*', '!node:*/*'] : [`!${name}`]));
  const message =
    imports.length === 0
      ? `The module ${folder} imports nothing but its own files.`
      : `The module ${folder} imports only ${imports.join(', ')} (tools/boundaries/table.ts).`;
  return {
    files: [`${folder}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [...byPath, { group: [...everything, ...allowed], message }] },
      ],
    },
  };
}

/** What no protocol owns says no protocol's name. */
const protocolNames = {
  files: ['apps/**/*.ts', 'libs/{core,contracts,store,queue,http-fetch,service,client}/**/*.ts'],
  rules: { 'boundaries/no-protocol-names': ['error', protocols] },
};

/** Tests may import anything by its name. */
const tests = {
  files: ['**/*.spec.ts', '**/__fixtures__/**/*.ts', 'test/**/*.ts'],
  rules: {
    'no-restricted-imports': 'off',
    'typescript/no-explicit-any': 'off',
    'boundaries/no-protocol-names': 'off',
  },
};

/** Returns oxlint's configuration with the boundaries of these modules in place of those that it has. */
export function withBoundaries(
  configuration: Readonly<Record<string, unknown>>,
  modules: readonly Module[],
): Record<string, unknown> {
  return {
    ...configuration,
    jsPlugins: ['./tools/boundaries/no-protocol-names.js'],
    overrides: [...modules.map(lintOverride), protocolNames, tests],
  };
}
