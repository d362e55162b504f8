import { openJobQueue } from '#queue';
import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What a Redis answers to `INFO` while it loads its data. */
const loading = 'loading:1\r\nloading_eta_seconds:1\r\n';

test('a Redis that is still loading its data is reported as such', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      for (const [, name = ''] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g))
        socket.write(
          name.toLowerCase() === 'info'
            ? `$${loading.length}\r\n${loading}\r\n`
            : `-ERR unknown command '${name}'\r\n`,
        );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const queue = openJobQueue({ redisUrl: `redis://127.0.0.1:${(server.address() as AddressInfo).port}` });
  try {
    await expect(queue.check()).rejects.toThrow('it takes connections, but is still loading its data');
  } finally {
    await queue.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});
