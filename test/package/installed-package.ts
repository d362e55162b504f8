import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

export interface InstalledPackage {
  /** A project that depends on feedmesh and on nothing else. */
  readonly folder: string;
  /** What is in the package. */
  readonly files: readonly PackedFile[];
  /** The bytes of the package. */
  readonly size: number;
  /**
   * Runs a program in the project: `node` and `npm` are those that run the tests. Throws unless it ends with
   * 0.
   */
  run(program: string, ...args: readonly string[]): string;
  /** The environment of `run`. */
  readonly environment: NodeJS.ProcessEnv;
  remove(): void;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Packs feedmesh as `npm pack` does and installs the package in a project of its own, without any network:
 * its dependencies are links to those of this checkout, which is why npm does not install it, but only links
 * its program.
 */
export function installPackage(): InstalledPackage {
  const folder = mkdtempSync(join(tmpdir(), 'feedmesh-package-'));
  const run = (directory: string, program: string, args: readonly string[]): string =>
    runIn(directory, folder, program, args);
  const packed = run(root, 'npm', ['pack', '--json', '--pack-destination', folder]);
  const [{ filename, files, size }] = JSON.parse(packed.slice(packed.indexOf('['))) as [
    { filename: string; files: PackedFile[]; size: number },
  ];
  const installed = join(folder, 'node_modules/feedmesh');
  mkdirSync(installed, { recursive: true });
  run(folder, 'tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', dependencies: { feedmesh: '*' } }),
  );
  run(folder, 'npm', ['rebuild', 'feedmesh', '--offline', '--ignore-scripts']);
  return {
    folder,
    files,
    size,
    environment: environmentOf(folder),
    run: (program, ...args) => run(folder, program, args),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function runIn(directory: string, home: string, program: string, args: readonly string[]): string {
  const npm = process.env['npm_execpath'] ?? '';
  const [command, ...first] =
    program === 'node'
      ? [process.execPath]
      : program === 'npm' && npm.endsWith('npm-cli.js')
        ? [process.execPath, npm]
        : [program];
  const { status, stdout, stderr, error } = spawnSync(command ?? program, [...first, ...args], {
    cwd: directory,
    env: environmentOf(home),
    encoding: 'utf8',
  });
  if (error !== undefined || status !== 0)
    throw new Error(
      `${program} ${args.join(' ')} ended with ${status ?? String(error)}:\n${stdout}${stderr}`,
    );
  return stdout;
}

/** The settings of an npm that runs the tests are for the checkout, and so is its data folder. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^FEEDMESH_(?!RUNS$)/i.test(name)),
  );
  return {
    ...inherited,
    NODE_OPTIONS: '',
    npm_config_cache: join(home, 'npm-cache'),
    npm_config_update_notifier: 'false',
  };
}
