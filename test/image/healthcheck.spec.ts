import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '#databases';

let status = 200;
let server: Server;
beforeAll(async () => {
  server = createServer(({ url }, response) =>
    response.writeHead(url === '/health/ready' ? status : 404).end(),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** The exit code of the image's health check. */
async function check(settings: Record<string, string>): Promise<number | null> {
  const child = spawn(process.execPath, ['deploy/image/healthcheck.mjs'], {
    env: settings,
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

test('the health check of the image asks the gateway on PORT and other services on HEALTH_PORT', async () => {
  const here = String((server.address() as AddressInfo).port);
  const nobody = String(await freePort());
  expect(await check({ PORT: here, HEALTH_PORT: nobody })).toBe(0);
  expect(await check({ PORT: nobody, HEALTH_PORT: here })).toBe(0);
  expect(await check({ PORT: nobody, HEALTH_PORT: nobody })).toBe(1);
  status = 503;
  expect(await check({ PORT: here, HEALTH_PORT: nobody })).toBe(1);
});
