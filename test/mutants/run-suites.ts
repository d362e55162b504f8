import { spawn } from 'node:child_process';
import { killGroup } from '#databases';

/** How suites ended. */
export type Outcome = 'passed' | 'failed' | 'hung';

export interface RunOptions {
  /** How long they may take before they count as hung and are killed. */
  readonly seconds: number;
  /** Further arguments of Jest. */
  readonly options: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs spec files in a run of Jest.
 * @param root the folder of the tree
 * @param paths of the files or of their folders, from `root`
 */
export async function runSuites(
  root: string,
  paths: readonly string[],
  { seconds, options, environment = {} }: RunOptions,
): Promise<Outcome> {
  const patterns = paths.map((path) => `^${root}/${path}`.replaceAll('.', String.raw`\.`));
  const jest = spawn(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--silent', ...options, ...patterns],
    {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: 'ignore',
      // A group of its own, which ends with its workers and what they have started.
      detached: true,
    },
  );
  const kill = (): void => {
    if (jest.pid !== undefined) killGroup(jest.pid);
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
  // After a failure with `--bail`, Jest leaves workers whose suites do not end.
  kill();
  if (isHung) return 'hung';
  return code === 0 ? 'passed' : 'failed';
}
