import { afterEach, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

const opml = '<opml version="2.0"><body><outline text="a" xmlUrl="https://a.example/"/></body></opml>';
const result = { created: 1100, existing: 100, refused: [] };

/** A service that responds to each import alike, and counts them. */
async function service(respond: (response: ServerResponse) => void) {
  const requests: string[] = [];
  const { url } = await localServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    respond(response);
  });
  return { url, requests };
}

function lines(response: ServerResponse, ...values: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.end(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

function importList(url: string, terminal = false) {
  const io = memoryIo({ stdin: opml, terminal });
  return { io, code: run(['import', 'news', '-', '--subscriptions', '--url', url], io) };
}

test('a list is imported by one request, with a bar on a terminal', async () => {
  const { url, requests } = await service((response) =>
    lines(response, { done: 600, total: 1200 }, { done: 1200, total: 1200 }, { result }),
  );
  const { io, code } = importList(url, true);
  expect(await code).toBe(0);
  expect(requests).toEqual(['POST /v1/collections/news/subscriptions']);
  expect(io.err()).toContain('[############------------] 600/1,200 feeds');
  expect(io.out()).toBe('news: 1,100 subscribed, 100 already subscribed, 0 refused\n');
});

test('nothing but the result is printed elsewhere', async () => {
  const { url } = await service((response) => lines(response, { done: 1, total: 1200 }, { result }));
  const { io, code } = importList(url);
  expect([await code, io.err()]).toEqual([0, '']);
});

test('a service that says nothing of its progress is understood', async () => {
  const { url } = await service((response) => answerJson(response, result));
  const { io, code } = importList(url);
  expect([await code, io.out()]).toEqual([0, 'news: 1,100 subscribed, 100 already subscribed, 0 refused\n']);
});

test('a list that names no feed is no success', async () => {
  const { url } = await service((response) => answerJson(response, { created: 0, existing: 0, refused: [] }));
  const { io, code } = importList(url);
  expect(await code).toBe(1);
  expect(io.err()).toContain('the document names no feed');
});

test('a response that breaks off is no success', async () => {
  const { url } = await service((response) => lines(response, { done: 600, total: 1200 }));
  const { io, code } = importList(url);
  expect(await code).toBe(3);
  expect(io.err()).toContain('broke off; what it had done so far stays');
});

test('a list that is refused says why', async () => {
  const { url } = await service((response) =>
    answerJson(response, { title: 'Collection not found', detail: 'There is none.' }, 404),
  );
  const { io, code } = importList(url);
  expect(await code).toBe(3);
  expect(io.err()).toContain('Collection not found: There is none.');
});
