import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { bytes, fetcher, http, read } from '../../../test/acceptance/http/network-trial.ts';

const document = Buffer.from('<feed>'.padEnd(5000, 'ü') + '</feed>');

describe('time', () => {
  test('a connection that never gets ready', async () => {
    const server = await bytes(() => {});
    await expect(
      fetcher({ connectSeconds: 0.2 }).get({ url: `https://127.0.0.1:${server.port}/` }),
    ).rejects.toMatchObject({
      rule: 'http-timeout',
      message: `https://127.0.0.1:${server.port}/: no connection within 0.2 s (FETCH_CONNECT_SECONDS)`,
    });
  });

  test.each([
    ['never comes', () => {}],
    [
      'comes one byte at a time',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ');
        const drip = setInterval(() => socket.write('a'), 20);
        socket.on('close', () => clearInterval(drip));
      },
    ],
  ])('a header that %s', async (_, onRequest) => {
    const server = await bytes(onRequest);
    await expect(fetcher({ headersSeconds: 0.2 }).get({ url: server.origin })).rejects.toMatchObject({
      rule: 'http-timeout',
      message: `${server.origin}/: no header within 0.2 s (FETCH_HEADERS_SECONDS)`,
    });
  });

  test.each(['identity', 'gzip'])('a body (%s) that stops', async (coding) => {
    const server = await http((_, response) => {
      response
        .setHeader('content-encoding', coding)
        .write(coding === 'gzip' ? gzipSync(document).subarray(0, 30) : 'begun');
    });
    await expect(read(fetcher({ idleSeconds: 0.2 }), { url: server.origin })).rejects.toMatchObject({
      rule: 'http-timeout',
      message: `${server.origin}/: nothing came for 0.2 s (FETCH_IDLE_SECONDS)`,
    });
  });

  test('a body that comes one byte at a time', async () => {
    const server = await http((_, response) => {
      const drip = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(drip));
    });
    await expect(read(fetcher({ totalSeconds: 0.5 }), { url: server.origin })).rejects.toMatchObject({
      rule: 'http-timeout',
      message: `${server.origin}/: the server took more than 0.5 s in all (FETCH_TOTAL_SECONDS)`,
    });
  });

  test('redirects that each take a while', async () => {
    const server = await http((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 150);
    });
    await expect(
      fetcher({ totalSeconds: 0.4, redirects: 1000 }).get({ url: server.origin }),
    ).rejects.toMatchObject({
      rule: 'http-timeout',
      message: `${server.origin}/: the server took more than 0.4 s in all (FETCH_TOTAL_SECONDS)`,
    });
  });

  test('what the reader of a body takes for itself is not counted', async () => {
    const whole = Buffer.alloc(512 * 1024, 'a');
    const server = await http((_, response) => {
      response.end(whole);
    });
    let pauses = 0;
    const body = await read(
      fetcher({ idleSeconds: 5, totalSeconds: 5 }),
      { url: server.origin },
      async () => {
        pauses += 1;
        // Time itself is what is tested: together these pauses are longer than both limits, which leave a
        // loaded machine enough of it to send what remains.
        if (pauses <= 2) await delay(2600);
      },
    );
    expect(body.length).toBe(whole.length);
  });

  test.each([
    ['from the beginning', '', 'identity'],
    ['after a fast start', '<feed>'.padEnd(200_000), 'identity'],
    ['that is packed', '', 'gzip'],
  ])('a body that drips %s is given up as slow', async (_how, start, coding) => {
    const packed = gzipSync(Buffer.from('<feed>'.padEnd(1_000_000)), { level: 9 });
    let sent = 0;
    const server = await http((_, response) => {
      response
        .setHeader('content-encoding', coding)
        .write(coding === 'gzip' ? packed.subarray(0, 20) : start);
      const drip = setInterval(() => {
        sent += 1;
        response.write(coding === 'gzip' ? packed.subarray(19 + sent, 20 + sent) : ' ');
      }, 50);
      response.on('close', () => clearInterval(drip));
    });
    await expect(read(fetcher({ idleSeconds: 1.2 }), { url: server.origin })).rejects.toMatchObject({
      rule: 'slow',
      message:
        `${server.origin}/: the body came with fewer than 1000 bytes a second for 1.2 s ` +
        '(FETCH_IDLE_SECONDS)',
    });
  });

  test('a body that comes slowly, but with the minimum rate, is read to its end', async () => {
    let sent = 0;
    const server = await http((_, response) => {
      response.write('<feed>');
      const line = setInterval(() => {
        sent += 1;
        response.write(' '.repeat(400));
        if (sent < 40) return;
        clearInterval(line);
        response.end();
      }, 100);
    });
    const body = await read(fetcher({ idleSeconds: 1.5 }), { url: server.origin });
    expect(body.length).toBe(6 + 40 * 400);
  });
});
