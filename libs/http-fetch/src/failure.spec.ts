import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { serveHttp } from '../../../test/acceptance/http/local-server.ts';
import { bytes, fetcher, http, read } from '../../../test/acceptance/http/network-trial.ts';
import { createHttpFetch } from './http-fetch.ts';

describe('a broken connection', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n<feed\r\n';

  test.each([
    ['closed without an answer', (socket: Socket) => socket.end()],
    ['reset without an answer', (socket: Socket) => socket.resetAndDestroy()],
    ['not HTTP', (socket: Socket) => socket.end('220 smtp.example ESMTP\r\n')],
    ['closed within the chunks', (socket: Socket) => socket.end(chunked)],
    ['closed within a chunk', (socket: Socket) => socket.end(`${chunked}ff\r\nabc`)],
    ['a chunk without a size', (socket: Socket) => socket.end(`${chunked}zz\r\nabc\r\n0\r\n\r\n`)],
    ['reset within the body', (socket: Socket) => socket.write(chunked, () => socket.resetAndDestroy())],
    [
      'shorter than its content-length',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'),
    ],
  ])('%s', async (_, onRequest) => {
    const server = await bytes(onRequest);
    await expect(read(fetcher(), { url: server.origin })).rejects.toMatchObject({
      name: 'FetchError',
      rule: 'connection',
      message: expect.stringContaining(`${server.origin}/: `),
    });
  });

  test('nobody listens', async () => {
    const server = await serveHttp(() => {});
    await server.close();
    await expect(fetcher().get({ url: server.origin })).rejects.toMatchObject({
      rule: 'connection',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('a header without end', async () => {
    const server = await bytes((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`));
    await expect(fetcher({ headerBytes: 10_000 }).get({ url: server.origin })).rejects.toMatchObject({
      rule: 'header-too-large',
      message: `${server.origin}/: the header is larger than 10000 bytes (FETCH_HEADER_BYTES)`,
    });
  });

  test('closing breaks off what is in progress', async () => {
    const server = await http((_, response) => {
      response.write('begun');
    });
    const fetch = createHttpFetch({ allowNetworks: ['127.0.0.0/8'] });
    await expect(read(fetch, { url: server.origin }, () => fetch.close())).rejects.toMatchObject({
      rule: 'connection',
    });
  });
});
