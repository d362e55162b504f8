import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { keep } from '#programs';

const run = promisify(execFile);
const version = '6.0.14';

/**
 * Runs a Python program that imports feedparser, which is installed once for all tests.
 * @returns what it prints
 */
export async function runWithFeedparser(script: string, argument: string): Promise<string> {
  const library = await keep('python', `feedparser-${version}`, async (target) => {
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', target, `feedparser==${version}`]);
    return target;
  });
  const environment = { ...process.env, PYTHONPATH: library };
  const { stdout } = await run('python3', [script, argument], { env: environment, maxBuffer: 67_108_864 });
  return stdout;
}
