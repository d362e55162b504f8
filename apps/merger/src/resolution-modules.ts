import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ResolutionModule, ResolutionModules } from '#protocol';

/** A resolution module that can't be used. */
export class ResolutionModuleError extends Error {
  override readonly name = 'ResolutionModuleError';
}

/**
 * Loads the ECMAScript modules that MERGE_RESOLUTION_MODULES names: each a file that exports a function
 * `choose`.
 * @param paths by name; a relative path is read from the working directory
 * @throws ResolutionModuleError for a file that can't be read or run, or that exports no such function
 */
export async function loadResolutionModules(paths: ReadonlyMap<string, string>): Promise<ResolutionModules> {
  return new Map(
    await Promise.all(
      Array.from(paths, async ([name, path]) => [name, await load(name, resolve(path))] as const),
    ),
  );
}

async function load(name: string, path: string): Promise<ResolutionModule> {
  const fail = (reason: string, cause?: unknown): never => {
    throw new ResolutionModuleError(`MERGE_RESOLUTION_MODULES: the module "${name}" (${path}) ${reason}`, {
      cause,
    });
  };
  try {
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    const { choose } = (await import(pathToFileURL(path).href)) as { choose?: unknown };
    return isChoice(choose) ? { digest, choose } : fail('exports no function "choose".');
  } catch (error) {
    if (error instanceof ResolutionModuleError) throw error;
    return fail(`can't be loaded: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

function isChoice(value: unknown): value is ResolutionModule['choose'] {
  return typeof value === 'function';
}
