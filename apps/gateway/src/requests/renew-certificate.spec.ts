import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import type { Server } from 'node:tls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { gatewayCertificate } from '#service';
import { certificateFile } from '../../../../test/support/tls-proxy.ts';
import { renewCertificate } from './renew-certificate.ts';

let folder: string;
let server: Server;

const settings = (): { GATEWAY_TLS_CERT: string; GATEWAY_TLS_KEY: string } => ({
  GATEWAY_TLS_CERT: join(folder, 'tls.crt'),
  GATEWAY_TLS_KEY: join(folder, 'tls.key'),
});

async function install(name: 'server' | 'client'): Promise<void> {
  await copyFile(certificateFile(name), settings().GATEWAY_TLS_CERT);
  await copyFile(certificateFile(`${name}-key`), settings().GATEWAY_TLS_KEY);
}

async function shownName(): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return CN;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feedmesh-certificate-'));
  await install('server');
  server = createServer(gatewayCertificate(settings()) ?? {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

test('a server shows what the files hold now', async () => {
  const renew = renewCertificate(() => server, settings());
  await renew();
  expect(await shownName()).toBe('server of Feedmesh tests');
  await install('client');
  await renew();
  expect(await shownName()).toBe('client of Feedmesh tests');
});

test.each([
  ['the key of another one', () => copyFile(certificateFile('client-key'), settings().GATEWAY_TLS_KEY)],
  ['an empty key', () => writeFile(settings().GATEWAY_TLS_KEY, '')],
])('with %s it keeps its own until the file is right', async (_what, spoil) => {
  const renew = renewCertificate(() => server, settings());
  await spoil();
  await expect(renew()).rejects.toThrow('GATEWAY_TLS_KEY must be a readable file in PEM');
  expect(await shownName()).toBe('server of Feedmesh tests');
  await install('client');
  await renew();
  expect(await shownName()).toBe('client of Feedmesh tests');
});

test('a server without TLS is left as it is', async () => {
  await expect(renewCertificate(() => ({}), {})()).resolves.toBeUndefined();
});
