import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#databases';
import { withDatabase } from '../acceptance/store/mongodb.ts';
import { startLauncher } from '../launcher/launcher.ts';
import { installPackage } from './installed-package.ts';
import type { InstalledPackage } from './installed-package.ts';

let installed: InstalledPackage;
beforeAll(() => {
  installed = installPackage();
}, 600_000);
afterAll(() => installed.remove());

describe('the package', () => {
  test('contains the built programs and the types, but no sources, tests or development tools', () => {
    const paths = installed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'dist/apps/cli/src/main.js',
        'dist/apps/gateway/src/main.js',
        'dist/libs/queue/src/client/index.d.ts',
      ]),
    );
    const source = /(?<!\.d)\.ts$|\.spec\.|\.map$/;
    const folder = /__fixtures__|^test|\/test\/|\/memory\/|\/demo\/|node_modules/;
    const development = /with-databases|bootstrap/;
    for (const unexpected of [source, folder, development])
      expect(paths.filter((path) => unexpected.test(path))).toEqual([]);
    expect(installed.size).toBeLessThan(1_100_000);
  });

  test('has a program that npx runs', () => {
    expect(installed.run('npx', '--offline', 'feedmesh', '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('runs Feedmesh until Ctrl-C; doctor finds it and its databases', async () => {
    const { REDIS_URL: _given, ...environment } = installed.environment;
    const uri = new URL(process.env['MONGODB_URI'] ?? '');
    uri.pathname = `/feedmesh-package-${randomBytes(4).toString('hex')}`;
    const program = join(installed.folder, 'node_modules/.bin/feedmesh');
    const data = join(installed.folder, 'data');
    const env = {
      ...environment,
      MONGODB_URI: uri.href,
      PORT: String(await freePort()),
      FEEDMESH_DATA: data,
      LOG_LEVEL: 'error',
    };
    const url = `http://127.0.0.1:${env.PORT}`;
    const launcher = startLauncher(program, ['start'], env);
    try {
      expect(await launcher.says(/feeds .*atom\n/)).toContain(`API              ${url}/`);
      expect(
        await feedmesh(program, ['collection', 'create', 'todo'], { ...env, FEEDMESH_URL: url }),
      ).toContain(`${url}/feeds/todo.atom`);
      expect(await feedmesh(program, ['doctor'], env)).toContain(
        `feedmesh: running at ${url} (pid ${launcher.pid}), data in ${data}\nredis: responds\nmongodb: ` +
          'responds\n',
      );
    } finally {
      launcher.child.kill('SIGINT');
      expect(await launcher.ended).toBe(0);
      await withDatabase(uri.pathname.slice(1), (database) => database.dropDatabase());
    }
  });

  /** The output of a command, which must succeed. */
  async function feedmesh(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    return (await promisify(execFile)(program, args, { cwd: installed.folder, env })).stdout;
  }

  test.each([[[]], [['--conditions=development']]])('can be imported by a program (node %j)', (options) => {
    const program = `
      import { FeedmeshClient } from 'feedmesh/client';
      import { commandSchemas } from 'feedmesh/contracts';
      console.log(typeof FeedmeshClient, Object.keys(commandSchemas).join(' '));`;
    expect(installed.run('node', ...options, '--input-type=module', '-e', program)).toBe(
      'function subscribe unsubscribe refresh edit\n',
    );
  });

  test.each(['nodenext', 'bundler'])(
    'has types that a program with moduleResolution %s sees',
    (moduleResolution) => {
      writeFileSync(
        join(installed.folder, 'program.ts'),
        `
      import { consumeChanges, FeedmeshClient, type ChangeEvent } from 'feedmesh/client';
      import { commandSchemas } from 'feedmesh/contracts';
      const client = new FeedmeshClient({ redisUrl: 'redis://127.0.0.1:6379' });
      const url = 'https://example.org/feed';
      export const sent: Promise<void> = client.subscribe({ collection: 'todo', url });
      // @ts-expect-error a URL is a text
      export const refused = client.subscribe({ collection: 'todo', url: 1 });
      type Name = 'subscribe' | 'unsubscribe' | 'refresh' | 'edit';
      export const names: Name[] = Object.keys(commandSchemas) as (keyof typeof commandSchemas)[];
      const settings = { redisUrl: 'redis://127.0.0.1:6379', group: 'a', consumer: 'b' };
      for await (const event of consumeChanges(settings)) {
        const { sequence }: ChangeEvent = event;
        console.log(sequence.length);
        if (event.type === 'feedmesh.subscription.moved.v1') console.log(event.data.formerUrl.length);
        // @ts-expect-error an event of a subscription has no item
        else if (event.type === 'feedmesh.subscription.gone.v1') console.log(event.data.item);
        else if (event.type.startsWith('feedmesh.item.')) console.log(event.subject);
      }`,
      );
      const compiler = fileURLToPath(
        new URL('../../node_modules/@typescript/native/bin/tsc', import.meta.url),
      );
      const types = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));
      const settings = [
        '--module',
        moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
        '--moduleResolution',
        moduleResolution,
        '--target',
        'es2023',
        '--strict',
        '--skipLibCheck',
        '--noEmit',
      ];
      expect(
        installed.run('node', compiler, ...settings, '--typeRoots', types, '--types', 'node', 'program.ts'),
      ).toBe('');
    },
  );
});
