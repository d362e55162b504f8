import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { YAML11_SCHEMA, load } from 'js-yaml';
import { describe, expect, test } from '@jest/globals';
import { nodeOptions } from '../apps/standalone/src/service.ts';

test('the license that package.json names is there, in its unchanged text', async () => {
  const { license } = JSON.parse(await readFile('package.json', 'utf8')) as { license: string };
  const text = await readFile('LICENSE');
  // Of https://www.apache.org/licenses/LICENSE-2.0.txt
  const digest = 'cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30';
  expect([license, createHash('sha256').update(text).digest('hex')]).toEqual(['Apache-2.0', digest]);
});

test('the changelog has a section for the version of the package, the latest first', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const headings = [...(await readFile('CHANGELOG.md', 'utf8')).matchAll(/^## (\S+)/gm)].map(
    ([, heading]) => heading,
  );
  expect(headings).toContain(version);
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  const released = headings.filter((heading) => heading !== undefined && /^\d/.test(heading)) as string[];
  expect(released).toEqual(released.toSorted(compare).reverse());
});

test('every image of others is pinned to an exact version and its digest', async () => {
  const files = (await readdir('deploy', { recursive: true })).map((path) => join('deploy', path));
  const isBuild = (path: string): boolean => /Dockerfile$|\.(?:ya?ml|tpl)$/.test(path);
  const texts = ['docker-compose.yml', ...files.filter(isBuild)].map((path) => readFile(path, 'utf8'));
  const references = (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/^\s*(?:-\s*)?(?:image: |FROM |COPY --from=|ARG \w*IMAGE\w*=)['"]?([^\s'"]+)/gm)].map(
      ([, reference]) => reference ?? '',
    ),
  );
  // Our own image, stages of a build, and what templates and arguments fill in.
  const others = references.filter((reference) => !/^(?:feedmesh|build)$|^\$|^\{/.test(reference));
  expect(others).toHaveLength(3);
  for (const reference of others)
    expect(reference).toMatch(/^[a-z/]+:\d+\.\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
});

describe('deploy/Dockerfile', () => {
  const read = async (): Promise<{ text: string; lines: string[]; final: string }> => {
    const text = await readFile('deploy/Dockerfile', 'utf8');
    const lines = text.replaceAll(/\\\n/g, ' ').split('\n');
    return { text, lines, final: text.slice(text.lastIndexOf('\nFROM ')) };
  };

  test('has one base, pinned to an exact version, in both stages', async () => {
    const { lines } = await read();
    expect(lines.filter((line) => line.startsWith('ARG NODE_IMAGE='))).toEqual([
      expect.stringMatching(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-[a-z]+-slim@sha256:[0-9a-f]{64}$/),
    ]);
    expect(lines.filter((line) => line.startsWith('FROM '))).toEqual([
      'FROM ${NODE_IMAGE} AS build',
      'FROM ${NODE_IMAGE}',
    ]);
  });

  test('runs as a numeric user, which Kubernetes can tell from root', async () => {
    expect((await read()).lines.filter((line) => line.startsWith('USER '))).toEqual(['USER 1000:1000']);
  });

  test('leaves out package managers, sources and what only development needs', async () => {
    const { final, text } = await read();
    for (const path of ['/usr/local/lib/node_modules', '/usr/bin/apt*', '/usr/bin/dpkg*', '/opt/yarn*'])
      expect(final.slice(final.indexOf('rm -rf'), final.indexOf('ln -s'))).toContain(path);
    expect(final.match(/^(COPY|ADD) .*$/gm)).toEqual([
      'COPY LICENSE ./',
      'COPY --from=build /app/package.json /app/sbom.cdx.json ./',
      'COPY --from=build /app/deploy/image/healthcheck.mjs ./',
      'COPY --from=build /app/node_modules node_modules',
      'COPY --from=build /app/dist dist',
    ]);
    expect(text).toContain('npm prune --omit=dev');
  });

  test('has a bill of materials, a health check, labels, and feedmesh on the PATH', async () => {
    const { text, final } = await read();
    expect(text).toContain('npm sbom --omit=dev --sbom-format cyclonedx > sbom.cdx.json');
    expect(final).toContain('CMD ["node", "/app/healthcheck.mjs"]');
    expect(final).toContain('ln -s /app/dist/apps/cli/src/main.js /usr/local/bin/feedmesh');
    for (const label of ['title', 'description', 'licenses', 'version', 'revision', 'base.name'])
      expect(final).toContain(`org.opencontainers.image.${label}=`);
  });

  test('tells Node.js what the launcher tells it', async () => {
    expect((await read()).final).toContain(` NODE_OPTIONS=${nodeOptions.join(' ')}\n`);
  });

  test('is labelled with the version of the package', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect((await read()).text).toContain(`ARG VERSION=${version}\n`);
  });
});

describe('docker-compose.yml', () => {
  interface Container {
    readonly user?: string;
    readonly image: string;
    readonly read_only?: boolean;
    readonly cap_drop?: readonly string[];
    readonly security_opt?: readonly string[];
    readonly tmpfs?: readonly string[];
    readonly logging?: { readonly options?: Readonly<Record<string, string>> };
    readonly ports?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  }
  const containers = async (): Promise<[name: string, Container][]> =>
    Object.entries(
      (
        load(await readFile('docker-compose.yml', 'utf8'), { schema: YAML11_SCHEMA }) as {
          services: Record<string, Container>;
        }
      ).services,
    );

  test('gives no container a writable root, capabilities, or logs without an end', async () => {
    for (const [name, container] of await containers())
      expect({ name, ...container }).toMatchObject({
        name,
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { options: { 'max-size': '10m', 'max-file': '5' } },
      });
  });

  test('runs nothing as root', async () => {
    const users = (await containers()).map(([name, { image, user }]) => [
      name,
      image === 'feedmesh' ? '1000' : user,
    ]);
    expect(Object.fromEntries(users)).toEqual({
      redis: 'redis',
      mongodb: 'mongodb',
      fetcher: '1000',
      merger: '1000',
      publisher: '1000',
      gateway: '1000',
    });
  });

  test('publishes only the gateway, on this machine, and takes every password from .env', async () => {
    const found = await containers();
    expect(found.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:8080:8080']);
    for (const [name, { environment = {} }] of found) {
      for (const [setting, value] of Object.entries(environment))
        if (/PASSWORD|KEY$|AUTH/.test(setting))
          expect([name, value]).toEqual([name, expect.stringMatching(/^\$\{/)]);
      if (environment['REDIS_URL'] === undefined) continue;
      expect(environment['REDIS_URL']).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:\?/);
      expect(environment['MONGODB_URI']).toMatch(/^mongodb:\/\/feedmesh:\$\{MONGODB_PASSWORD:\?/);
    }
  });
});
