import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cacheFolder, remember } from './cache.ts';
import { assertChecksum } from './checksum.ts';
import { assertRuns, runCommand } from './command.ts';
import { PassedOverError, type Provider, type Surroundings } from './provider.ts';

/** One build of a version of MongoDB. */
interface Build {
  /** Below the server of the downloads. */
  readonly path: string;
  readonly sha256: string;
}

const version = '8.2.6';

/** By operating system and processor, as Node names them: the build that runs on most releases of it. */
const builds: Readonly<Record<string, Build>> = {
  'linux-x64': {
    path: `linux/mongodb-linux-x86_64-debian12-${version}.tgz`,
    sha256: 'ebf8bd8eb59c746a1ec834db4fe84d853453ed67ae3c39aea379dd0bbd16a2e6',
  },
  'linux-arm64': {
    path: `linux/mongodb-linux-aarch64-ubuntu2404-${version}.tgz`,
    sha256: '8eaa50d208e82df9effa462a6c5cb200a65b037fa118af0153f701ce1ceab422',
  },
  'darwin-x64': {
    path: `osx/mongodb-macos-x86_64-${version}.tgz`,
    sha256: '39b6ba80ad21ad1ca8dbd989d7fe81a60aa5f41475eb42d4247fe40740062f3d',
  },
  'darwin-arm64': {
    path: `osx/mongodb-macos-arm64-${version}.tgz`,
    sha256: 'ef8301d05cdb4686775aee1ddce391b5f1cd67cdc61179c2d21dab246a2c4f1b',
  },
};

/** MongoDB's own build for this system. */
export const mongodbDownload = mongodbDownloadOf(builds[`${process.platform}-${process.arch}`]);

/** Downloads a build, from `MONGOMS_DOWNLOAD_MIRROR` if it is set, and uses it if it has its SHA-256. */
export function mongodbDownloadOf(build: Build | undefined): Provider {
  return {
    title: 'download from MongoDB',
    installs: true,
    async find(server, surroundings) {
      const { environment, downloadLimit } = surroundings;
      if (build === undefined)
        throw new PassedOverError(`no build is known for ${process.arch} ${process.platform}`);
      const cache = cacheFolder(environment);
      await mkdir(cache, { recursive: true });
      const workplace = await mkdtemp(join(cache, 'mongodb-'));
      try {
        const archive = join(workplace, basename(build.path));
        const origin = environment['MONGOMS_DOWNLOAD_MIRROR'] || 'https://fastdl.mongodb.org';
        await download(`${origin}/${build.path}`, archive, surroundings);
        await assertChecksum(archive, basename(build.path), build.sha256);
        const unpack = ['-xzf', archive, '-C', workplace, '--strip-components=1'];
        await runCommand('tar', unpack, surroundings, downloadLimit);
        const unpacked = join(workplace, 'bin/mongod');
        await assertRuns(unpacked, surroundings);
        const kept = join(cache, `mongod-${version}`);
        await rename(unpacked, kept);
        return await remember(server, kept, environment);
      } finally {
        await rm(workplace, { recursive: true, force: true });
      }
    },
  };
}

/** Downloads a file through the proxy of the environment, if it has one. */
async function download(url: string, file: string, { downloadLimit, signal }: Surroundings): Promise<void> {
  // Loaded only for a download: every start of a launcher would wait for it.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const timeout = AbortSignal.timeout(downloadLimit);
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const response = await fetch(url, { dispatcher, signal: AbortSignal.any([signal, timeout]) });
    if (!response.ok || response.body === null)
      throw new PassedOverError(`${url}: status ${response.status}`);
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
  } catch (error) {
    if (!timeout.aborted) throw describe(url, error);
    throw new PassedOverError(
      `${url} took longer than ${downloadLimit / 1000} s (FEEDMESH_DOWNLOAD_SECONDS)`,
    );
  } finally {
    await dispatcher.destroy();
  }
}

/** `fetch` names the reason of a failure only in its cause. */
function describe(url: string, error: unknown): unknown {
  const { cause } = error as Error;
  return cause instanceof Error ? new PassedOverError(`${url}: ${cause.message}`) : error;
}
