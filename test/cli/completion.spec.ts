import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, symlink } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { until } from '../support/until.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
afterEach(closeServers);

async function scriptFor(shell: string): Promise<string> {
  const io = memoryIo();
  expect(await run(['completion', shell], io)).toBe(0);
  return io.out();
}

async function outputOf(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number; text: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text };
}

/** Whether a shell is there to check the syntax of a script. */
async function isInstalled(program: string): Promise<boolean> {
  const found = await Promise.all(
    (process.env['PATH'] ?? '').split(delimiter).map((path) =>
      access(join(path, program)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

describe('completion in bash', () => {
  let script: string;
  beforeAll(async () => {
    script = await folder.write('feedmesh.bash', await scriptFor('bash'));
  });

  /** What a real bash offers for a command line up to the cursor. */
  async function offered(
    line: string,
    { cwd, env = process.env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
  ): Promise<string[]> {
    const program =
      'source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; _feedmesh 2>&1; printf "%s\\n" "${COMPREPLY[@]}"';
    const { text } = await outputOf('bash', ['--norc', '-c', program, 'bash', script, line], {
      env,
      ...(cwd !== undefined && { cwd }),
    });
    return text.split('\n').filter((word) => word !== '');
  }

  test.each([
    ['feedmesh wat', ['watch']],
    ['feedmesh un', ['undelete', 'unsubscribe']],
    ['feedmesh collection ', ['create', 'set', 'show', 'endpoint', 'delete', 'help']],
    ['feedmesh dead-letters re', ['retry']],
    ['feedmesh collection create todo --f', ['--format']],
    ['feedmesh collection create todo --format ', ['atom', 'rss', 'opml']],
    ['feedmesh collection create todo --format=r', ['rss']],
    ['feedmesh --v', ['--version']],
    ['feedmesh ls -o j', ['json']],
    ['feedmesh delete todo x --data ', ['remove', 'keep']],
    ['feedmesh delete todo x --url http://127.0.0.1:1 --data r', ['remove']],
    ['feedmesh completion ', ['bash', 'zsh', 'fish']],
    ['feedmesh resolve todo x --if', ['--if-match']],
    ['feedmesh add todo --title ', []],
    ['feedmesh pause todo ', []],
    ['feedmesh nothing ', []],
  ])('of %j offers %j', async (line, words) => {
    expect((await offered(line)).toSorted()).toEqual(words.toSorted());
  });

  test('offers every command', async () => {
    const words = await offered('feedmesh ');
    expect(words).toEqual(
      expect.arrayContaining([
        'ls',
        'collection',
        'item',
        'add',
        'subscribe',
        'tree',
        'merge',
        'doctor',
        'help',
      ]),
    );
  });

  test('offers files and folders where they are wanted, also after others', async () => {
    await folder.write('my feed.xml', '');
    await mkdir(folder.path('my folder'));
    const cwd = folder.path('.');
    expect((await offered('feedmesh validate my', { cwd })).toSorted()).toEqual(['my feed.xml', 'my folder']);
    expect(await offered('feedmesh merge a.xml b.xml --timeout 5 my', { cwd })).toContain('my feed.xml');
    expect(await offered('feedmesh add todo --file my', { cwd })).toContain('my feed.xml');
    expect(await offered('feedmesh sync http://example.org/ my', { cwd })).toEqual(['my folder']);
  });

  test('offers the collections of the service, and none if it is away', async () => {
    const program = resolve('dist/apps/cli/src/main.js');
    await chmod(program, 0o755);
    await mkdir(folder.path('bin'));
    await symlink(program, folder.path('bin/feedmesh'));
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      PATH: `${folder.path('bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    };
    const collection = (name: string) => ({
      name,
      title: `The ${name}`,
      protocol: 'feedsync',
      format: 'atom',
      endpoint: `example:${name}`,
    });
    const { url } = await localServer((_request, response) =>
      answerJson(response, { items: [collection('todo'), collection('toys'), collection('news')] }),
    );
    // A service that takes more than a second is not waited for.
    const offeredInTime = (line: string, more = {}): Promise<string[]> =>
      until(
        () => offered(line, { env: { ...env, ...more } }),
        ({ length }) => length > 0,
      );
    expect(await offeredInTime('feedmesh item to', { FEEDMESH_URL: url })).toEqual(['todo', 'toys']);
    expect(await offeredInTime(`feedmesh dead-letters list --url ${url} --collection n`)).toEqual(['news']);
    expect(
      await offered('feedmesh item to', { env: { ...env, FEEDMESH_URL: 'http://127.0.0.1:1' } }),
    ).toEqual([]);
  });
});

describe('completion', () => {
  test('in zsh has a function for each command, with options, choices and places', async () => {
    const script = await scriptFor('zsh');
    expect(script).toMatch(/^#compdef feedmesh\n/);
    for (const part of [
      "'watch:print the changes of a collection, or of all, as they happen, until Ctrl-C'",
      '_feedmesh_collection_create() {',
      "'(--format)'--format='[the format of its own feed (default\\: the first of its protocol)]:format:" +
        "(atom rss opml)'",
      "'(-o --output)'{-o+,--output=}'[what to print]:format:(text json)'",
      "'*'--category='[a category; can be repeated]:name: '",
      "'1:collection:_feedmesh_collections'",
      "'*:incoming:_files'",
      "'2:directory:_files -/'",
    ])
      expect(script).toContain(part);
    if (await isInstalled('zsh'))
      expect(await outputOf('zsh', ['-n', await folder.write('_feedmesh', script)])).toEqual({
        code: 0,
        text: '',
      });
  });

  test('in fish has a line for each command, option and place', async () => {
    const script = await scriptFor('fish');
    for (const line of [
      "complete -c feedmesh -n '__feedmesh_at \\'\\'' -a 'watch' -d 'print the changes of a collection, " +
        "or of all, as they happen, until Ctrl-C'",
      "complete -c feedmesh -n '__feedmesh_at \\'collection\\'' -a 'create' -d 'create a collection'",
      "complete -c feedmesh -n '__feedmesh_at \\'ls\\'' -s o -l output -r -f -a 'text json' -d 'what to " +
        "print'",
      "complete -c feedmesh -n '__feedmesh_at \\'item\\' 0' -f -a '(__feedmesh_collections)'",
      "complete -c feedmesh -n '__feedmesh_at \\'merge\\' 1+' -F",
      "complete -c feedmesh -n '__feedmesh_at \\'sync\\' 1' -f -a '(__fish_complete_directories)'",
    ])
      expect(script.split('\n')).toContain(line);
    if (await isInstalled('fish'))
      expect(await outputOf('fish', ['-n', await folder.write('feedmesh.fish', script)])).toEqual({
        code: 0,
        text: '',
      });
  });

  test('is for no other shell', async () => {
    const io = memoryIo();
    expect(await run(['completion', 'tcsh'], io)).toBe(64);
    expect(io.err()).toContain("'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish");
  });
});
