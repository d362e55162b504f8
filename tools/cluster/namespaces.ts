import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** The address of the node, on an interface of its own that leads nowhere. */
export const nodeAddress = '10.98.0.1';

const cgroups = '/sys/fs/cgroup';

/**
 * What the first process of the namespaces does: the packages ($1) are laid over /usr, the folders of running
 * services are empty, names are resolved by the node, and there are no interfaces but those that are made
 * here. It ends with the program.
 */
const enter = `
set -e
packages=$1 folder=$2; shift 2
mount -t overlay overlay -o lowerdir="$packages/usr:/usr" /usr
mount --make-rshared /
for path in /run /var/lib /var/log; do mount -t tmpfs tmpfs "$path"; done
printf 'search cluster.local\\nnameserver ${nodeAddress}\\noptions ndots:5\\n' > "$folder/resolv.conf"
mount --bind "$folder/resolv.conf" "$(readlink -f /etc/resolv.conf)"
ip link set lo up
ip link add node0 type bridge
ip address add ${nodeAddress}/24 dev node0
ip link set node0 up
ip link add uplink0 type veth peer name uplink1
ip link set uplink0 master node0 up
ip link set uplink1 up
ip route add default via ${nodeAddress} dev node0
echo 1 > /proc/sys/net/ipv4/ip_forward
# Not the last command, so that this shell stays and takes in the processes that lose their parents.
"$@"
exit 0
`;

/** What a program in the namespaces is given. */
export interface Place {
  /** A folder that is removed at the end. */
  readonly folder: string;
  /** The cgroup of everything that the node runs, from the root of each hierarchy. */
  readonly cgroup: string;
}

/**
 * Runs a built program in namespaces of its own: processes, network, mounts. When it ends, or this process
 * is interrupted, everything that was started in there is killed by the kernel. Returns the exit code.
 * @param packages the folder of `debianPackages`
 * @param args of the program, which gets a `Place` as JSON before them
 */
export async function runInNamespaces(
  packages: string,
  program: string,
  args: readonly string[],
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'feedmesh-cluster-'));
  const place: Place = { folder, cgroup: `/feedmesh-cluster-${process.pid}` };
  await makeCgroups(place.cgroup);
  const inside = [process.execPath, program, JSON.stringify(place), ...args];
  const namespaces = [
    '--mount',
    '--net',
    '--pid',
    '--uts',
    '--ipc',
    '--fork',
    '--kill-child',
    '--mount-proc',
  ];
  const child = spawn('unshare', [...namespaces, 'bash', '-c', enter, 'enter', packages, folder, ...inside], {
    // In a process group of its own, so that Ctrl-C reaches this process alone. The program ends when its
    // stdin does: also if this process is killed.
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.on('SIGINT', kill).on('SIGTERM', kill);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 130;
  } finally {
    await removeCgroups(place.cgroup);
    await removeFolder(folder);
    process.off('SIGINT', kill).off('SIGTERM', kill);
  }
}

async function hierarchies(): Promise<string[]> {
  const names = await readdir(cgroups);
  return names.filter((name) => existsSync(join(cgroups, name, 'cgroup.procs')));
}

async function makeCgroups(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    const made = join(cgroups, hierarchy, name);
    await mkdir(made, { recursive: true });
    // A new group of this hierarchy has neither processors nor memory, and takes no process.
    for (const file of hierarchy === 'cpuset' ? ['cpuset.cpus', 'cpuset.mems'] : [])
      await writeFile(join(made, file), await readFile(join(cgroups, hierarchy, file)));
  }
}

/** A group can be removed once the last of its processes is gone, which takes the kernel a moment. */
async function removeCgroups(name: string): Promise<void> {
  for (const hierarchy of await hierarchies()) {
    const root = join(cgroups, hierarchy, name);
    for (let attempt = 0; attempt < 100 && existsSync(root); attempt += 1) {
      await removeGroup(root).catch(() => delay(100));
    }
  }
}

async function removeGroup(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await removeGroup(join(path, entry.name));
  await rmdir(path);
}

/** Mounts of processes that are just ending may keep parts of it for a moment. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
