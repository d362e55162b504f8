import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { assertRuns } from './command.ts';
import { PassedOverError, type Provider } from './provider.ts';

/** The first folder of the PATH that holds an executable of this name; returns the whole path. */
export function findOnPath(program: string, environment: NodeJS.ProcessEnv): string | undefined {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A server that is installed here. */
export const programOnPath: Provider = {
  title: 'PATH',
  installs: false,
  async find(server, surroundings) {
    for (const program of server.programs) {
      const path = findOnPath(program, surroundings.environment);
      if (path === undefined) continue;
      await assertRuns(path, surroundings);
      return path;
    }
    throw new PassedOverError(`no ${server.programs.join(' or ')} there`);
  },
};
