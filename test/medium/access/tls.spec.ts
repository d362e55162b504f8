import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectPlainly } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificateFile } from '../../support/tls-proxy.ts';
import { RawRequest } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';
import { startGateway } from '../gateway/gateway-under-test.ts';
import type { GatewayUnderTest } from '../gateway/gateway-under-test.ts';

const ca = readFileSync(certificateFile('authority'));
// The certificate of the tests' client, which is not meant for a server, stands for a renewed one.
const trusting = { rejectUnauthorized: false };

let folder: string;
let gateway: GatewayUnderTest;

const file = (name: string): string => join(folder, name);
const port = (): number => Number(new URL(gateway.url).port);

async function install(name: 'server' | 'client'): Promise<void> {
  await copyFile(certificateFile(name), file('tls.crt'));
  await copyFile(certificateFile(`${name}-key`), file('tls.key'));
}

async function open(): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port: port(), ...trusting });
  await once(socket, 'secureConnect');
  return socket;
}

async function shownSubject(): Promise<unknown> {
  const socket = await open();
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return subject.CN;
}

async function get(
  path: string,
  options: { readonly minVersion?: 'TLSv1.3' } = {},
): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: false });
  const sent = request(`https://127.0.0.1:${port()}${path}`, { ca, agent, ...options }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

const settings = (): Record<string, string> => ({
  GATEWAY_TLS_CERT: file('tls.crt'),
  GATEWAY_TLS_KEY: file('tls.key'),
  GATEWAY_TLS_RENEW_SECONDS: '0.02',
  PUBLIC_URL: 'https://redis.example',
  SHUTDOWN_GRACE_SECONDS: '3600',
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feedmesh-tls-'));
  await install('server');
  gateway = await startGateway(settings());
});
afterAll(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true });
});

describe('a gateway with a certificate', () => {
  test('takes requests with TLS, and tells browsers to use nothing else', async () => {
    const response = await get('/health/live', { minVersion: 'TLSv1.3' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('closes connections without TLS', async () => {
    const plain = await RawRequest.open(gateway.url);
    plain.send('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await plain.closed;
    expect(plain.received).not.toContain('HTTP/1.1');
    expect((await get('/health/live')).statusCode).toBe(200);
  });

  test('answers what is no HTTP inside TLS', async () => {
    const socket = await open();
    let received = '';
    socket.on('data', (piece: Buffer) => (received += piece.toString()));
    socket.write('nonsense\r\n\r\n');
    await once(socket, 'close');
    expect(received).toContain('urn:feedmesh:problem:malformed-request');
  });

  test('refuses TLS 1.1', async () => {
    const versions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const socket = connect({ host: '127.0.0.1', port: port(), ...trusting, ...versions });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toMatch(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/);
  });

  test('uses a renewed one for new connections, and goes on with those that it has', async () => {
    const kept = await open();
    const former = await shownSubject();
    await install('client');
    await until(async () => (await shownSubject()) !== former);
    expect(await shownSubject()).toBe('client of Feedmesh tests');
    kept.write('GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    const [piece] = (await once(kept, 'data')) as [Buffer];
    expect(piece.toString()).toContain('200 OK');
    await install('server');
    await until(async () => (await shownSubject()) === former);
  });

  test('ends without waiting for connections over which no request has come', async () => {
    const own = await startGateway(settings());
    const there = Number(new URL(own.url).port);
    const silent = connectPlainly(there, '127.0.0.1');
    const halfway = connectPlainly(there, '127.0.0.1');
    const secured = connect({ host: '127.0.0.1', port: there, ...trusting });
    const all = [silent, halfway, secured];
    for (const socket of all) socket.on('error', () => {});
    const ends = all.map((socket) => once(socket, 'close'));
    await Promise.all([once(silent, 'connect'), once(halfway, 'connect'), once(secured, 'secureConnect')]);
    // The beginning of a record of a handshake, of which the rest never comes.
    halfway.write(Buffer.from([22, 3, 1, 2, 0, 1]));
    await get('/health/live');
    await own.close();
    await Promise.all(ends);
  });
});

test('a certificate needs its key, and an https address', async () => {
  const start = (given: Record<string, string>) => startGateway({ ...settings(), ...given });
  await expect(start({ GATEWAY_TLS_KEY: '' })).rejects.toThrow('GATEWAY_TLS_KEY must be set');
  await expect(start({ GATEWAY_TLS_CERT: '' })).rejects.toThrow('GATEWAY_TLS_CERT must be set');
  await expect(
    start({ GATEWAY_TLS_CERT: certificateFile('server'), GATEWAY_TLS_KEY: certificateFile('client-key') }),
  ).rejects.toThrow('GATEWAY_TLS_KEY must be a readable file');
  await writeFile(file('empty.crt'), '');
  await expect(start({ GATEWAY_TLS_CERT: file('empty.crt') })).rejects.toThrow(
    'GATEWAY_TLS_CERT must be a readable file',
  );
  await expect(start({ PUBLIC_URL: 'http://redis.example' })).rejects.toThrow(
    'PUBLIC_URL must be an https URL with GATEWAY_TLS_CERT',
  );
});
