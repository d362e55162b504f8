import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { formatCursor } from '#contracts';
import { RawRequest } from '../../support/raw-request.ts';
import { useGateway } from './use-gateway.ts';
import { until } from '../../support/until.ts';

const gateway = useGateway({ GATEWAY_STALL_SECONDS: '1', GATEWAY_PAGE_BYTES: '100000000' });

/** Makes a collection of so many items. */
async function makeCollection(name: string, count: number, item: (number: number) => object): Promise<void> {
  await gateway.send('PUT', `/v1/collections/${name}`);
  for (let number = 1; number <= count; number += 1)
    expect((await gateway.send('POST', `/v1/collections/${name}/items`, item(number))).status).toBe(201);
}

/** Opens a connection, and returns both of its ends. */
async function connect(): Promise<{ client: RawRequest; server: Socket }> {
  const connection = once(gateway.application.getHttpServer() as Server, 'connection');
  const client = await RawRequest.open(gateway.url);
  const [server] = (await connection) as [Socket];
  return { client, server };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test('a client that does not read the end of a response, such as a list, is disconnected', async () => {
  // More than the operating system takes from us for a client that does not read.
  await makeCollection('large', 11, (number) => ({ id: `${number}`, content: 'x'.repeat(1_000_000) }));
  const { client, server } = await connect();
  client.stall();
  client.send(get('/v1/collections/large/items'));
  await until(() => server.destroyed);
  client.resume();
  await client.closed;
  expect(client.received).toMatch(/^HTTP\/1\.1 200 /);
  const length = /^content-length: (\d+)/im.exec(client.received)?.[1];
  expect(client.received.length).toBeLessThan(Number(length));
});

/** The chunks (RFC 9112, 7.1) of a body of ASCII characters. */
function chunksOf(response: string): string[] {
  const chunks: string[] = [];
  let start = response.indexOf('\r\n\r\n') + 4;
  for (let end = response.indexOf('\r\n', start); end !== -1; end = response.indexOf('\r\n', start)) {
    const length = Number.parseInt(response.slice(start, end), 16);
    chunks.push(response.slice(end + 2, end + 2 + length));
    start = end + 2 + length + 2;
  }
  return chunks;
}

/** How many bytes of JSON the events in a part of an event stream have. */
function jsonLength(events: string): number {
  return [...events.matchAll(/^data: (.*)$/gm)].reduce((sum, [, json = '']) => sum + json.length, 0);
}

test('an event stream holds no more than 32 KiB of changes at a time, however many there are', async () => {
  const count = 60;
  await makeCollection('long', count, (number) => ({ id: `${number}`.padEnd(500, 'x'), title: 'x' }));
  await gateway.publish('long');
  const { client } = await connect();
  client.send(get('/v1/collections/long/changes?mode=stream'));
  await until(() => client.received.includes(`\nid: ${formatCursor(count)}\n`));
  client.close();
  // What the gateway holds is what it writes at once, which is one chunk.
  const most = Math.max(...chunksOf(client.received).map(jsonLength));
  expect(most).toBeGreaterThan(16_384);
  expect(most).toBeLessThanOrEqual(32_768);
});
