import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { keep, run } from '#programs';
import type { Say } from '#programs';

/** What a node is made of besides Kubernetes itself, and what builds images. */
const packages = [
  'buildah',
  'containerd',
  'containernetworking-plugins',
  'debootstrap',
  'etcd-server',
  'nftables',
  'runc',
];

/** Shows a program the packages below /usr as if they were installed; no other process sees them. */
const overlay = 'mount -t overlay overlay -o lowerdir="$0/usr:/usr" /usr && exec "$@"';

/**
 * The folder with the unpacked Debian packages, with everything that they need and the system lacks. Nothing
 * is installed.
 */
export async function debianPackages(say: Say): Promise<string> {
  const digest = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
  return keep('cluster', `debian-${codename()}-${digest}`, async (folder) => {
    say(`downloading Debian packages: ${packages.join(', ')}`);
    const archives = join(folder, 'archives');
    await mkdir(join(archives, 'partial'), { recursive: true });
    const only = ['--download-only', '--no-install-recommends', '--yes', '--quiet'];
    await run('apt-get', ['install', ...only, '-o', `Dir::Cache::archives=${archives}`, ...packages]);
    const unpacked = join(folder, 'unpacked');
    for (const file of (await readdir(archives)).filter((name) => name.endsWith('.deb')))
      await run('dpkg', ['-x', join(archives, file), unpacked]);
    return unpacked;
  });
}

/** The name of this Debian's version, such as `bookworm`. */
export function codename(): string {
  const found = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (found === undefined) throw new Error('npm run cluster needs Debian: /etc/os-release names no version');
  return found;
}

/** The command line that runs a program with the packages in its /usr. */
export function withPackages(packagesFolder: string, command: readonly string[]): [string, ...string[]] {
  const unshare = ['--mount', '--propagation', 'private'];
  return ['unshare', ...unshare, 'sh', '-c', overlay, packagesFolder, ...command];
}
