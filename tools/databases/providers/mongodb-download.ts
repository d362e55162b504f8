import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cacheFolder, remember } from './cache.ts';
import { assertRuns, runCommand } from './command.ts';
import { PassedOverError, type Provider } from './provider.ts';

/**
 * A program of its own, because the download can't be stopped from within. Its stdout is the path of `mongod`
 * and nothing else.
 */
const downloadProgram = `
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const { MongoBinary } = require(process.argv[1]);
MongoBinary.getPath({ downloadDir: process.argv[2] }).then(print, (error) => {
  process.stderr.write(error.message.replaceAll('\\n', ' '));
  process.exitCode = 1;
});
`;

/** MongoDB's own build for this system, through mongodb-memory-server-core. */
export const mongodbDownload: Provider = {
  title: 'download by mongodb-memory-server-core',
  async find(server, surroundings) {
    const { environment, downloadLimit } = surroundings;
    const library = createRequire(import.meta.url).resolve('mongodb-memory-server-core');
    const path = await runCommand(
      process.execPath,
      ['-e', downloadProgram, library, join(cacheFolder(environment), 'mongodb-memory-server')],
      { ...surroundings, environment: { MONGOMS_MAX_RETRIES: '1', ...environment } },
      downloadLimit,
    );
    if (path === '') throw new PassedOverError('it found nothing');
    await assertRuns(path, surroundings);
    return remember(server, path, environment);
  },
};
