import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { keep, run } from '#programs';

const requirements = fileURLToPath(new URL('feedparser-requirements.txt', import.meta.url));

/** Installs feedparser, once for all tests, and returns the folder that Python imports it from. */
export async function installFeedparser(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  return keep('python', `feedparser-${digest.slice(0, 12)}`, async (target) => {
    const options = ['--quiet', '--require-hashes', '--target', target, '-r', requirements];
    await run('python3', ['-m', 'pip', 'install', ...options]);
    return target;
  });
}

/**
 * Runs a Python program that imports feedparser.
 * @returns what it prints
 */
export async function runWithFeedparser(script: string, ...args: readonly string[]): Promise<string> {
  const environment = { ...process.env, PYTHONPATH: await installFeedparser() };
  return run('python3', [script, ...args], { environment });
}
