import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificateFile } from '../../support/tls-proxy.ts';
import { RawRequest } from '../../support/raw-request.ts';
import { startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { until } from '../../support/until.ts';

/** The requests of a connection, with the most of them in progress at the same time. */
interface Watched {
  begun: number;
  running: number;
  most: number;
}

const items = '/v1/collections/todo/items';

/** A request named by its `X-Request-Id`. */
function request(method: string, path: string, id: string, ...more: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', `X-Request-Id: ${id}`, ...more, '', ''].join(
    '\r\n',
  );
}

function post(body: string, id: string): string {
  return (
    request('POST', items, id, 'Content-Type: application/json', `Content-Length: ${body.length}`) + body
  );
}

/** The ids of the responses, in the order in which they came. */
function answered({ received }: RawRequest): (string | undefined)[] {
  return [...received.matchAll(/^x-request-id: (.*)$/gim)].map(([, id]) => id);
}

/** The statuses of the responses, in the same order. */
function statuses({ received }: RawRequest): (string | undefined)[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
}

const numbered = (count: number, of: string): string[] =>
  Array.from({ length: count }, (_, at) => `${of}-${at}`);

describe.each(['http', 'https'])('Over %s', (protocol) => {
  let gateway: GatewayUnderTest;
  let server: Server;
  let url: string;
  const connections = new WeakMap<Socket, Watched>();

  beforeAll(async () => {
    const settings = {
      GATEWAY_TLS_CERT: certificateFile('server'),
      GATEWAY_TLS_KEY: certificateFile('server-key'),
      PUBLIC_URL: 'https://localhost',
    };
    gateway = await startGateway(protocol === 'https' ? settings : {});
    url = gateway.url.replace(/^http/, protocol);
    server = gateway.application.getHttpServer() as Server;
    server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      const watched = connections.get(socket);
      if (watched === undefined) return;
      watched.begun += 1;
      watched.running += 1;
      watched.most = Math.max(watched.most, watched.running);
      response.once('close', () => (watched.running -= 1));
    });
    const client = await RawRequest.open(url);
    client.send(request('PUT', '/v1/collections/todo', 'made', 'Content-Length: 0'));
    await until(() => answered(client).length === 1);
    client.close();
  });
  afterAll(() => gateway?.close());

  /** Opens a connection, with its other end and what is in progress of it. */
  async function open(): Promise<{ client: RawRequest; socket: Socket; watched: Watched }> {
    const connection = once(server, protocol === 'https' ? 'secureConnection' : 'connection');
    const client = await RawRequest.open(url);
    const [socket] = (await connection) as [Socket];
    const watched = { begun: 0, running: 0, most: 0 };
    connections.set(socket, watched);
    return { client, socket, watched };
  }

  test('5,000 requests at once are answered one after another, in order, beside others', async () => {
    const { client, watched } = await open();
    const other = await RawRequest.open(url);
    const ids = numbered(5000, 'many');
    client.send(ids.map((id) => request('GET', '/v1/nothing', id)).join(''));
    await until(() => client.received !== '');
    const before = answered(client).length;
    other.send(request('GET', '/health/live', 'other'));
    await other.begun;
    // Each turn of the event loop has one of them.
    expect(answered(client).length - before).toBeLessThan(500);
    expect(other.received).toContain('{"status":"up"}');
    await until(() => answered(client).length === ids.length);
    expect(answered(client)).toEqual(ids);
    expect(watched).toEqual({ begun: ids.length, running: 0, most: 1 });
    client.close();
    other.close();
  });

  test('edits are made in the order in which they came', async () => {
    const { client, watched } = await open();
    const ids = numbered(20, 'edit');
    client.send(
      ids.map((id) => post(`{"id":"${id}","title":"x"}`, id)).join('') + request('GET', items, 'all'),
    );
    await until(() => answered(client).length === ids.length + 1);
    expect(answered(client)).toEqual([...ids, 'all']);
    expect(statuses(client)).toEqual([...ids.map(() => '201'), '200']);
    expect(client.received.slice(client.received.lastIndexOf('HTTP/1.1 200'))).toContain('"edit-19"');
    expect(watched.most).toBe(1);
    client.close();
  });

  test('a body that arrives slowly is waited for, with what comes after it', async () => {
    const { client } = await open();
    const [text, begin] = ['{"id":"slow","title":"x"}', 12];
    client.send(request('GET', items, 'first') + post(text, 'slow').slice(0, -text.length + begin));
    await until(() => answered(client).length === 1);
    client.send(text.slice(begin) + request('GET', `${items}/slow`, 'last'));
    await until(() => answered(client).length === 3);
    expect(answered(client)).toEqual(['first', 'slow', 'last']);
    expect(statuses(client)).toEqual(['200', '201', '200']);
    client.close();
  });

  test('what is sent meanwhile is not read', async () => {
    const { client, socket, watched } = await open();
    client.send(request('GET', '/v1/collections/todo/changes?mode=stream', 'stream'));
    await until(() => watched.begun === 1);
    const one = request('GET', items, 'waiting');
    const sent = one.repeat(20_000);
    client.send(sent);
    await until(() => socket.bytesRead > one.length * 10);
    // Others have their turns, in which more would be read.
    const other = await RawRequest.open(url);
    other.send(
      numbered(50, 'other')
        .map((id) => request('GET', items, id))
        .join(''),
    );
    await until(() => answered(other).length === 50);
    expect(socket.bytesRead).toBeLessThan(sent.length / 4);
    expect(watched.begun).toBe(1);
    client.close();
    other.close();
  });

  test('a request that closes the connection is the last one', async () => {
    const { client, watched } = await open();
    client.send(
      request('GET', items, 'first') +
        request('GET', items, 'last', 'Connection: close') +
        post('{"id":"never","title":"x"}', 'never'),
    );
    await client.closed;
    expect(answered(client)).toEqual(['first', 'last']);
    expect(watched.begun).toBe(2);
  });

  test('HTTP/1.0 has one request, or several that are kept alive', async () => {
    const one = request('GET', items, 'one').replace('HTTP/1.1', 'HTTP/1.0');
    const kept = one.replace('\r\n\r\n', '\r\nConnection: keep-alive\r\n\r\n');
    const { client, watched } = await open();
    client.send(kept + kept + one + one);
    await client.closed;
    expect(answered(client)).toEqual(['one', 'one', 'one']);
    expect(watched.most).toBe(1);
  });

  test('what is no request is refused after the requests before it', async () => {
    const { client } = await open();
    client.send(
      numbered(3, 'good')
        .map((id) => request('GET', items, id))
        .join('') + 'no request\r\n\r\n',
    );
    await client.closed;
    expect(statuses(client)).toEqual(['200', '200', '200', '400']);
    expect(client.received).toContain('urn:feedmesh:problem:malformed-request');
  });

  test('a body that is no HTTP is refused after the requests before it, and changes nothing', async () => {
    const { client } = await open();
    const chunked = request(
      'POST',
      items,
      'bad',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    client.send(`${request('GET', items, 'good')}${chunked}zz\r\n{}\r\n0\r\n\r\n`);
    await client.closed;
    expect(statuses(client)).toEqual(['200', '400']);
  });
});
