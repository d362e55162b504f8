import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contracts, operations } from '#contracts';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkResponses } from './checked-responses.ts';

interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly body: unknown;
}

const collection = contracts.get(operations.readCollection.responses[200].json)?.example as object;
const problem = { type: 'urn:feedmesh:problem:item-not-found', title: 'Item', status: 404, detail: 'None.' };

describe('a response of a gateway', () => {
  let server: Server;
  let url: string;
  let reply: Reply;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response
        .writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'application/json' })
        .end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    checkResponses(url);
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function get(path: string, given: Reply): Promise<unknown> {
    reply = given;
    return (await fetch(`${url}${path}`)).json();
  }

  test('that is as the contracts say is returned', async () => {
    expect(await get('/v1/collections/todo', { body: collection })).toEqual(collection);
  });

  test.each<[string, string, Reply, RegExp]>([
    ['lacks a member', '/v1/collections/todo', { body: { name: 'todo' } }, /title: /],
    ['has another member', '/v1/collections/todo', { body: { ...collection, more: [1] } }, /schema: more/],
    ['has a status of its own', '/v1/collections/todo', { status: 202, body: collection }, /status/],
    ['is of another type', '/v1/collections/todo', { type: 'text/xml', body: '<todo/>' }, /media type/],
    [
      'has a problem that the operation does not name',
      '/v1/collections',
      { status: 404, type: 'application/problem+json', body: problem },
      /listCollections does not name the rule item-not-found/,
    ],
    ['is of no operation', '/v2', { body: {} }, /no operation/],
  ])('that %s is refused', async (_fault, path, given, message) => {
    await expect(get(path, given)).rejects.toThrow(message);
  });
});
