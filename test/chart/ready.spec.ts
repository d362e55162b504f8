import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { outcome } from '../../tools/programs/index.ts';

/** Runs the program of `helm test` as the chart's pod does. */
async function ask(url: string, seconds: number): ReturnType<typeof outcome> {
  const program = await readFile('deploy/chart/files/ready.mjs', 'utf8');
  const options = ['--input-type=module', '--eval', program];
  return outcome(process.execPath, [...options, '--', url, `${seconds}`]);
}

/** Asks a gateway that returns these statuses one after the other, and the last of them from then on. */
async function askGateway(seconds: number, ...statuses: number[]): ReturnType<typeof outcome> {
  const gateway = createServer((request, response) => {
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    response.writeHead(request.url === '/health/ready' ? (status ?? 500) : 404).end('{"redis":"down"}');
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  try {
    return await ask(`http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, seconds);
  } finally {
    gateway.closeAllConnections();
    gateway.close();
  }
}

test('helm test waits for a gateway that becomes ready', async () => {
  const result = await askGateway(60, 503, 200);
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('is ready') });
});

test('helm test fails with what the gateway says if it does not become ready', async () => {
  expect(await askGateway(1, 503)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is not ready after 1 s: HTTP 503 {"redis":"down"}'),
  });
});

test('helm test fails with the cause if there is no gateway', async () => {
  expect(await ask('http://127.0.0.1:1', 1)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/is not ready after 1 s: .*(ECONNREFUSED|bad port)/),
  });
});
