import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, bodyOf, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

/** A service that accepts every request and returns an item, or 412. */
async function patchable(status = 200) {
  const requests: unknown[] = [];
  const { url } = await localServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push([
        request.method,
        request.url,
        request.headers['content-type'],
        request.headers['if-match'],
        body,
      ]);
      const item = {
        id: 'tea',
        title: 'Tea',
        deleted: false,
        sync: { updates: 1, history: [] },
        conflicts: [],
        revision: 2,
      };
      const problem = {
        type: 'urn:feedmesh:problem:revision-mismatch',
        title: 'Revision mismatch',
        detail: 'It has changed.',
      };
      answerJson(response, status === 200 ? item : problem, status);
    });
    return undefined;
  });
  return { url, requests };
}

describe('an edit', () => {
  const path = '/v1/collections/todo/items/tea';
  const type = 'application/merge-patch+json';

  test.each([
    [
      ['edit', '--content', 'Darjeeling'],
      ['PATCH', path, type, undefined, { content: 'Darjeeling' }],
    ],
    [
      ['edit', '--title', 'x', '--unset', 'link', '--if-match', '3'],
      ['PATCH', path, type, '"3"', { title: 'x', link: null }],
    ],
    [['undelete'], ['POST', `${path}/undelete`, type, undefined, {}]],
    [
      ['undelete', '--content', 'x', '--content-type', 'text', '--if-match', '3'],
      ['POST', `${path}/undelete`, type, '"3"', { content: 'x', contentType: 'text' }],
    ],
  ])('%j is one merge patch', async ([command = '', ...options], request) => {
    const { url, requests } = await patchable();
    expect(await run([command, 'todo', 'tea', ...options, '--url', url], memoryIo())).toBe(0);
    expect(requests).toEqual([request]);
  });

  test('for another revision is refused with an exit code of its own', async () => {
    const { url } = await patchable(412);
    const io = memoryIo();
    expect(await run(['edit', 'todo', 'tea', '--content', 'x', '--if-match', '"1"', '--url', url], io)).toBe(
      4,
    );
    expect(io.err()).toBe('feedmesh: Revision mismatch: It has changed. [revision-mismatch]\n');
  });
});

test('a service that requests a retry says how long to wait', async () => {
  const { url } = await localServer((_request, response) => {
    response.setHeader('retry-after', '5');
    answerJson(
      response,
      { type: 'urn:feedmesh:problem:unavailable', title: 'Unavailable', detail: 'MongoDB does not respond.' },
      503,
    );
  });
  const io = memoryIo();
  expect(await run(['ls', '--url', url], io)).toBe(3);
  expect(io.err()).toBe('feedmesh: Unavailable: MongoDB does not respond. Try again in 5 s. [unavailable]\n');
});
