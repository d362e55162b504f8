import { runCommand, assertRuns } from './command.ts';
import { findOnPath } from './path.ts';
import { remember } from './cache.ts';
import { PassedOverError, type Provider } from './provider.ts';

/**
 * Debian's and Ubuntu's package. It is `redis-tools`, not `redis-server`: it brings the same program, by the
 * name of `redis-check-rdb` (which acts as a server when it is called `redis-server`), but no system service
 * that could start.
 */
export const redisByApt: Provider = {
  title: 'apt-get',
  installs: true,
  async find(server, surroundings) {
    const { environment, downloadLimit } = surroundings;
    const apt = findOnPath('apt-get', environment);
    if (apt === undefined) throw new PassedOverError('no apt-get here');
    if (process.getuid?.() !== 0) throw new PassedOverError('it needs root');
    const quiet = { ...surroundings, environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' } };
    await runCommand(apt, ['update'], quiet, downloadLimit);
    await runCommand(
      apt,
      ['install', '--yes', '--no-install-recommends', 'redis-tools'],
      quiet,
      downloadLimit,
    );
    const path = findOnPath('redis-server', environment) ?? findOnPath('redis-check-rdb', environment);
    if (path === undefined) throw new PassedOverError('the package redis-tools holds no redis-check-rdb');
    const link = await remember(server, path, environment);
    await assertRuns(link, surroundings);
    return link;
  },
};
