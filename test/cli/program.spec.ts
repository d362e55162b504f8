import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { atomEntry, atomFeed } from './feeds.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();
afterEach(closeServers);

/** Starts the built program. */
function start(...commandLine: readonly string[]) {
  const child = spawn(process.execPath, ['dist/apps/cli/src/main.js', ...commandLine], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const written = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text));
  return {
    child,
    written,
    ended: once(child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as string | null,
      ...written,
    })),
  };
}

describe('the built program', () => {
  test('merges a file and stdin', async () => {
    const local = await folder.write('local.xml', atomFeed([atomEntry('a', 'A', [['me', 1]])]));
    const { child, ended } = start('merge', '-o', 'json', local, '-');
    child.stdin.end(atomFeed([atomEntry('b', 'B', [['you', 1]])]));
    const { code, out, err } = await ended;
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }] });
  });

  test('returns its exit codes', async () => {
    expect((await start('validate', folder.path('missing.xml')).ended).code).toBe(2);
    expect((await start('mrege').ended).code).toBe(64);
    expect((await start('--version').ended).code).toBe(0);
  });

  test('is silent if the reader of its output goes away in the middle', async () => {
    const numbers = Array.from({ length: 3000 }, (_, index) => index);
    const local = await folder.write(
      'many.xml',
      atomFeed(numbers.map((number) => atomEntry(`item-${number}`, `item ${number}`, [['me', 1]]))),
    );
    const { child, ended } = start('merge', local, local);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended).toMatchObject({ code: 0, signal: null, err: '' });
  });

  test('ends a watch cleanly on Ctrl-C', async () => {
    const { url } = await localServer((request, response) => {
      if (request.url === '/v1/collections/todo')
        return answerJson(response, { name: 'todo', cursor: '0000000000000005' });
      const event = {
        id: 'todo:0000000000000006',
        time: '2026-01-01T00:00:00Z',
        sequence: '0000000000000006',
        type: 'feedmesh.item.created.v1',
        subject: 'item_6',
        data: {},
      };
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`data: ${JSON.stringify(event)}\n\n`);
      return undefined;
    });
    const { child, ended } = start('watch', 'todo', '--url', url);
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await ended).toEqual({
      code: 0,
      signal: null,
      out: '2026-01-01T00:00:00Z\t0000000000000006\titem.created\titem_6\n',
      err: '',
    });
  });
});
