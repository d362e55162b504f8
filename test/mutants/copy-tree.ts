import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of the checkout that faults can be planted in. */
export interface TreeCopy {
  readonly root: string;
  /** All files, from the root. */
  readonly paths: readonly string[];
}

/**
 * Copies what Git knows of the checkout, and what is new in it, into a folder of its own. Packages and built
 * services are those of the checkout: a process that a test starts has no fault.
 */
export function copyTree(checkout: string): TreeCopy {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(checkout, path)));
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'feedmesh-mutants-'));
  for (const path of paths) cpSync(join(checkout, path), join(root, path));
  for (const folder of ['node_modules', 'dist'])
    symlinkSync(join(realpathSync(checkout), folder), join(root, folder));
  return { root, paths: paths.toSorted() };
}
