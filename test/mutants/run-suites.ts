import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** How the suites of a mutant ended. */
export type Outcome = 'passed' | 'failed' | 'hung';

/**
 * Runs the spec files whose paths contain one of these texts, until one fails.
 * @param root the folder of the tree
 * @param seconds after which a run counts as hung and is killed
 */
export async function runSuites(root: string, paths: readonly string[], seconds: number): Promise<Outcome> {
  const present = paths.filter((path) => existsSync(join(root, path)));
  if (present.length === 0) return 'passed';
  const options = ['--bail', '--silent', '--passWithNoTests', ...(areLong(present) ? [] : ['--runInBand'])];
  const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...options, ...present], {
    cwd: root,
    stdio: 'ignore',
    // A group of its own, which ends with its workers and what they have started.
    detached: true,
  });
  const kill = (): void => {
    if (jest.pid !== undefined && jest.exitCode === null) process.kill(-jest.pid, 'SIGKILL');
  };
  process.prependOnceListener('exit', kill);
  let isHung = false;
  const limit = setTimeout(() => {
    isHung = true;
    kill();
  }, seconds * 1000);
  const code = await new Promise<number | null>((resolve, reject) => {
    jest.once('error', reject).once('exit', resolve);
  });
  clearTimeout(limit);
  process.off('exit', kill);
  if (isHung) return 'hung';
  return code === 0 ? 'passed' : 'failed';
}

/** Whether it is worth it to start workers. */
function areLong(paths: readonly string[]): boolean {
  return paths.some((path) => /^(?:apps|libs|test\/.*)\/$/.test(path));
}
