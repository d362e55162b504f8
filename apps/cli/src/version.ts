import { existsSync, readFileSync } from 'node:fs';

/**
 * The version in feedmesh's `package.json`, which is above this file, be it the source or what was built from
 * it.
 */
export function feedmeshVersion(): string {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/')
    folder = new URL('..', folder);
  const { version } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
    version: string;
  };
  return version;
}
