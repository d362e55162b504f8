import { afterEach, describe, expect, test } from '@jest/globals';
import { applyPatch } from '../../apps/cli/src/edit/merge-patch.ts';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, bodyOf, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

describe('a merge patch (RFC 7396)', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: ['c', 'd'] }, { a: ['c', 'd'] }],
    [{ a: { b: 'c', d: 'e' } }, { a: { b: 'f', d: null } }, { a: { b: 'f' } }],
    [{ a: 'b' }, { a: { c: null, d: 1 } }, { a: { d: 1 } }],
    [{}, { ['__proto__']: 'x' }, { ['__proto__']: 'x' }],
  ])('%j changed by %j is %j', (object, patch, changed) => {
    expect(applyPatch(object, patch)).toEqual(changed);
  });
});

/** A service with one item, which somebody else changes before each of the first `changes` edits arrives. */
async function contested(changes: number) {
  let revision = 1;
  const edits: unknown[] = [];
  const { url } = await localServer((request, response) => {
    const item = () => ({
      id: 'tea',
      title: `Tea ${revision}`,
      content: 'Assam',
      deleted: false,
      sync: { updates: revision, history: [] },
      conflicts: [],
      revision,
    });
    if (request.method === 'GET') return answerJson(response, item());
    void bodyOf(request).then((body) => {
      edits.push([request.headers['if-match'], body]);
      if (edits.length <= changes) revision += 1;
      if (request.headers['if-match'] !== `"${revision}"`)
        return answerJson(
          response,
          {
            type: 'urn:feedmesh:problem:revision-mismatch',
            title: 'Revision mismatch',
            detail: 'It has changed.',
          },
          412,
        );
      revision += 1;
      return answerJson(response, { ...item(), ...(body as object) });
    });
    return undefined;
  });
  return { url, edits };
}

describe('an edit that others come before', () => {
  test('is made to what the item has become', async () => {
    const { url, edits } = await contested(2);
    expect(await run(['edit', 'todo', 'tea', '--content', 'Darjeeling', '--url', url], memoryIo())).toBe(0);
    expect(edits).toEqual(
      [1, 2, 3].map((revision) => [`"${revision}"`, { title: `Tea ${revision}`, content: 'Darjeeling' }]),
    );
  });

  test('for a revision is refused at once, with an exit code of its own', async () => {
    const { url, edits } = await contested(1);
    const io = memoryIo();
    expect(await run(['edit', 'todo', 'tea', '--content', 'x', '--if-match', '"1"', '--url', url], io)).toBe(
      4,
    );
    expect(io.err()).toBe('feedmesh: Revision mismatch: It has changed. [revision-mismatch]\n');
    expect(edits).toHaveLength(1);
  });

  test('again and again is given up', async () => {
    const { url, edits } = await contested(Infinity);
    expect(await run(['edit', 'todo', 'tea', '--content', 'x', '--url', url], memoryIo())).toBe(4);
    expect(edits).toHaveLength(10);
  });
});

test('a service that asks for patience says how much', async () => {
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
