import { once } from 'node:events';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { fetcher, http, read } from '../../../test/acceptance/http/network-trial.ts';

const document = Buffer.from('<feed>'.padEnd(5000, 'ü') + '</feed>');

describe('a body', () => {
  test.each([
    ['gzip', gzipSync(document)],
    ['x-gzip', gzipSync(document)],
    ['br', brotliCompressSync(document)],
    ['deflate', deflateSync(document)],
    ['Deflate', deflateRawSync(document)],
    ['identity', document],
    ['none', document],
    ['UTF-8', document],
    ['utf-8, gzip', gzipSync(document)],
    ['__proto__', document],
    ['gzip', Buffer.alloc(0)],
  ])('in %s is decoded', async (coding, body) => {
    const server = await http((_, response) => {
      response.setHeader('content-encoding', coding).end(body);
    });
    expect(await read(fetcher(), { url: server.origin })).toEqual(body.length === 0 ? body : document);
  });

  test.each(['compress', 'zstd', 'gzip, br'])('in %s is refused', async (coding) => {
    const server = await http((_, response) => {
      response.setHeader('content-encoding', coding).end('x');
    });
    await expect(fetcher().get({ url: server.origin })).rejects.toMatchObject({
      rule: 'content-coding',
      message:
        `${server.origin}/: Content-Encoding "${coding}" was not requested; gzip, br, deflate are ` +
        'understood',
    });
  });

  test.each([
    ['gzip', gzipSync(document).subarray(0, 40)],
    ['br', brotliCompressSync(document).subarray(0, 10)],
    ['gzip', document],
    ['deflate', deflateSync(document).fill(7, 10, 20)],
  ])('that is broken or incomplete %s is refused', async (coding, body) => {
    const server = await http((_, response) => {
      response.setHeader('content-encoding', coding).end(body);
    });
    await expect(read(fetcher(), { url: server.origin })).rejects.toMatchObject({
      name: 'FetchError',
      rule: 'content-coding',
    });
  });

  const bomb = Buffer.alloc(64 * 1024 * 1024, ' ');
  test.each([
    ['gzip', gzipSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['deflate', deflateSync(bomb)],
  ])('that is a bomb of %s is stopped soon after the first MiB', async (coding, body) => {
    const server = await http((_, response) => {
      response.setHeader('content-encoding', coding).end(body);
    });
    let decoded = 0;
    await expect(
      read(fetcher(), { url: server.origin }, (piece) => {
        decoded += piece.length;
      }),
    ).rejects.toMatchObject({
      rule: 'compression-ratio',
      message:
        `${server.origin}/: the body unpacks to more than 100 times what was sent ` +
        '(FETCH_COMPRESSION_RATIO)',
    });
    // How much input is there when the ratio is first looked at depends on how the bytes arrived: 64 KiB of
    // it at the most.
    expect(decoded).toBeLessThanOrEqual(8 * 1024 * 1024);
  });

  test('that decodes to more than the limit is stopped there', async () => {
    const server = await http((_, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync(bomb));
    });
    let decoded = 0;
    await expect(
      read(fetcher({ bodyBytes: 100_000, compressionRatio: 5000 }), { url: server.origin }, (piece) => {
        decoded += piece.length;
      }),
    ).rejects.toMatchObject({
      rule: 'body-too-large',
      message: `${server.origin}/: the body is larger than 100000 bytes (FETCH_BODY_BYTES)`,
    });
    expect(decoded).toBeLessThanOrEqual(100_000);
  });

  test('that never ends is stopped at the limit, and the server is let go', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const server = await http((_, response) => {
      closed = once(response, 'close');
      const more = (): void => {
        if (!response.destroyed && response.write(document)) setImmediate(more);
      };
      response.on('drain', more);
      more();
    });
    await expect(read(fetcher({ bodyBytes: 1_000_000 }), { url: server.origin })).rejects.toMatchObject({
      rule: 'body-too-large',
    });
    await closed;
  });
});
