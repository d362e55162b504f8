import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { freePort } from '#databases';

test('a port is given to one caller only, below those of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test('another process does not get it as long as we live', async () => {
  const port = await freePort();
  const reserve = `
    const socket = require('node:dgram').createSocket('udp4');
    socket.once('error', ({ code }) => console.log(code));
    socket.bind({ port: ${port}, address: '127.0.0.1', exclusive: true }, () => socket.close());`;
  const output = execFileSync(process.execPath, ['-e', reserve], { env: { PATH: process.env['PATH'] } });
  expect(output.toString().trim()).toBe('EADDRINUSE');
});

test('a server can listen on it', async () => {
  const server = createServer();
  const port = await freePort();
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', listening);
  });
  await new Promise((closed) => server.close(closed));
});
