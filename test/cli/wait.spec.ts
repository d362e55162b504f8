import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

const root = 'http://there/root.xml';
const base = { id: 'source', url: root, status: 'active' };
const progress = { done: 6, total: 12, bytes: 2000, failed: 0 };
const fetched = { at: '2026-01-01T00:00:00.000Z', outcome: 'fetched', items: 12, rejected: 0 };
const done = { ...base, isFetching: false, last: fetched };

/**
 * A service whose responses to each request come one after the other, the last one repeatedly; numbers are
 * refusals with that status. What is put is new.
 */
async function service(answers: Readonly<Record<string, readonly (object | number)[]>>) {
  const asked: string[] = [];
  const { url } = await localServer((request, response) => {
    const name = `${request.method} ${request.url}`;
    const [earlier, given = []] = [asked.filter((one) => one === name).length, answers[name]];
    const answer = given[Math.min(earlier, given.length - 1)] ?? 404;
    asked.push(name);
    if (typeof answer === 'number') answerJson(response, { title: 'Refused', detail: name }, answer);
    else answerJson(response, answer, name === put || name === post ? 201 : 200);
  });
  return { url, asked };
}

const [put, get, post] = ['PUT', 'GET', 'POST'].map(
  (method) => `${method} /v1/collections/news/subscriptions${method === 'POST' ? '' : '/source'}`,
) as [string, string, string];

describe('subscribe --wait', () => {
  const subscribe = ['subscribe', 'news', root, '--name', 'source', '--wait'];

  test('waits until the first fetch has ended, with a bar on a terminal, and reports it', async () => {
    const { url } = await service({
      [put]: [base],
      [get]: [
        404,
        base,
        { ...base, isFetching: true },
        { ...base, isFetching: true, progress },
        { ...done, last: { ...fetched, progress: { ...progress, done: 12 } } },
      ],
    });
    const io = memoryIo({ terminal: true });
    expect(await run([...subscribe, '--url', url], io)).toBe(0);
    expect(io.out()).toBe(`news is subscribed to ${root} as source\nfetched: 12/12 documents, 2.0 kB\n`);
    expect(io.err().split('\r\u001b[K')).toEqual([
      '',
      'waiting for the fetch to begin',
      'fetching',
      '[############------------] 6/12 documents, 2.0 kB',
      '',
    ]);
  });

  test('prints the subscription as JSON once it has been fetched, and nothing else', async () => {
    const { url } = await service({ [post]: [base], [get]: [{ ...base, isFetching: true }, done] });
    const io = memoryIo();
    expect(await run(['subscribe', 'news', root, '--wait', '-o', 'json', '--url', url], io)).toBe(0);
    expect([JSON.parse(io.out()), io.err()]).toEqual([done, '']);
  });

  test('ends with 1 if some of it could not be fetched or was rejected', async () => {
    for (const [last, words] of [
      [{ ...fetched, rejected: 2 }, 'fetched: 12 items, 2 rejected\n'],
      [{ ...fetched, progress: { ...progress, failed: 3 } }, 'fetched: 6/12 documents, 2.0 kB, 3 failed\n'],
    ] as const) {
      const { url } = await service({ [post]: [base], [get]: [{ ...done, last }] });
      const io = memoryIo();
      expect(await run(['subscribe', 'news', root, '--wait', '--url', url], io)).toBe(1);
      expect(io.out()).toContain(words);
    }
  });

  test.each([
    [2, 'fetched: 2 items; 2 items without synchronisation data were left out\n'],
    [1, 'fetched: 2 items; 1 item without synchronisation data was left out\n'],
  ])('says that %i of 2 items had no synchronisation data', async (plain, words) => {
    const { url } = await service({
      [post]: [base],
      [get]: [{ ...done, last: { ...fetched, items: 2, plain } }],
    });
    const io = memoryIo();
    expect(await run(['subscribe', 'news', root, '--wait', '--url', url], io)).toBe(0);
    expect(io.out()).toContain(words);
  });

  test('ends with 2 if the feed could not be fetched, and says why', async () => {
    const { url } = await service({
      [post]: [base],
      [get]: [
        {
          ...done,
          last: {
            at: fetched.at,
            outcome: 'failed',
            reason: 'The server answered 500.',
            rule: 'http-status',
          },
        },
      ],
    });
    const io = memoryIo();
    expect(await run(['subscribe', 'news', root, '--wait', '--url', url], io)).toBe(2);
    expect(io.err()).toBe(`feedmesh: ${root} could not be fetched: The server answered 500. [http-status]\n`);
  });

  test('does not take the result of an earlier address, or of one now gone, for the first', async () => {
    const later = { ...done, last: { ...fetched, at: '2026-01-02T00:00:00.000Z', items: 1 } };
    const moved = { ...done, url: 'http://there/old.xml' };
    for (const [former, last] of [
      [moved, fetched],
      [done, { ...fetched, outcome: 'gone' }],
    ] as const) {
      const { url } = await service({
        [put]: [{ ...base, last }],
        [get]: [former, { ...done, last }, { ...done, last }, later],
      });
      const io = memoryIo();
      expect(await run([...subscribe, '--url', url], io)).toBe(0);
      expect(io.out()).toContain('fetched: 1 item\n');
    }
  });

  test('is content with a feed that has been fetched before', async () => {
    const { url } = await service({ [put]: [done], [get]: [done] });
    expect(await run([...subscribe, '--url', url], memoryIo())).toBe(0);
  });

  test('does not wait for a paused one', async () => {
    const { url } = await service({
      [put]: [{ ...base, status: 'paused' }],
      [get]: [404, { ...base, status: 'paused' }],
    });
    const io = memoryIo();
    expect(await run([...subscribe, '--url', url], io)).toBe(3);
    expect(io.err()).toContain('is paused; feedmesh resume news source resumes it');
  });

  test('ends with 1 on Ctrl-C, and leaves the fetch to the service', async () => {
    const { url } = await service({ [post]: [base], [get]: [base] });
    const io = memoryIo({ terminal: true });
    const running = run(['subscribe', 'news', root, '--wait', '--url', url], io);
    await io.appeared(/waiting for the fetch/);
    io.interrupt();
    expect(await running).toBe(1);
    expect(io.err()).toContain('interrupted; the service goes on with the fetch');
  });
});

describe('fetch', () => {
  const [list, ask, item] = [
    'GET /v1/collections/news/subscriptions',
    'POST /v1/collections/news/items/root%3Aphotos/links/1/fetch',
    'GET /v1/collections/news/items/root%3Aphotos',
  ];
  const commandLine = ['fetch', 'news', 'root:photos', '1'];
  const film = { url: 'http://there/film.mp4', source: 'http://there/film.mp4', onDemand: true };
  const withLink = (link: object) => ({ id: 'root:photos', links: [{}, { ...film, ...link }] });
  const here = {
    url: 'http://here/files/news/ab/film.mp4',
    state: 'cached',
    file: { digest: 'ab', name: 'film.mp4', length: 5_000_000_000 },
  };
  const earlier = { ...done, last: { ...fetched, at: '2025-12-31T00:00:00.000Z' } };
  const walking = { ...earlier, isFetching: true };

  test('requests what a link refers to, and waits until it is fetched', async () => {
    const { url, asked } = await service({
      [list]: [{ items: [earlier] }],
      [ask]: [{ state: 'waiting' }],
      [get]: [earlier, walking],
      [item]: [withLink({ state: 'waiting' }), withLink({ state: 'cached' }), withLink(here)],
    });
    const io = memoryIo();
    expect(await run([...commandLine, '--url', url], io)).toBe(0);
    expect([io.out(), io.err()]).toEqual([
      'cached, film.mp4, 5.0 GB\n  http://here/files/news/ab/film.mp4\n',
      '',
    ]);
    expect(asked.slice(0, 2)).toEqual([list, ask]);
    const json = memoryIo();
    expect(await run([...commandLine, '-o', 'json', '--url', url], json)).toBe(0);
    expect(JSON.parse(json.out())).toEqual({ ...film, ...here });
  });

  test('ends with 1 if it could not be fetched, once the requested walk has ended', async () => {
    const failed = { state: 'failed', reason: { rule: 'http-status', reason: 'The server answered 404.' } };
    const { url } = await service({
      [list]: [{ items: [earlier] }],
      [ask]: [failed],
      [get]: [earlier, walking, done],
      [item]: [
        withLink({ state: 'failed', reason: { rule: 'old', reason: 'Old.' } }),
        withLink({ state: 'waiting' }),
        withLink(failed),
      ],
    });
    const io = memoryIo();
    expect(await run([...commandLine, '--url', url], io)).toBe(1);
    expect(io.out()).toBe('failed, http://there/film.mp4: The server answered 404. [http-status]\n');
  });

  test('waits for the next walk if the one in progress did not know of it yet', async () => {
    const { url } = await service({
      [list]: [{ items: [earlier] }],
      [ask]: [{}],
      [get]: [walking, done],
      [item]: [
        withLink({ state: 'waiting' }),
        withLink({ state: 'waiting' }),
        withLink({ state: 'waiting' }),
        withLink(here),
      ],
    });
    expect(await run([...commandLine, '--url', url], memoryIo())).toBe(0);
  });

  test('ends with 2 if the tree itself could not be fetched', async () => {
    const { url } = await service({
      [list]: [{ items: [earlier] }],
      [ask]: [{}],
      [get]: [{ ...done, last: { ...fetched, outcome: 'failed', reason: 'It timed out.' } }],
      [item]: [withLink({ state: 'waiting' })],
    });
    const io = memoryIo();
    expect(await run([...commandLine, '--url', url], io)).toBe(2);
    expect(io.err()).toContain(`${root} could not be fetched: It timed out.`);
  });

  test('ends with 3 if the service refuses, as for a tree that is not a mirror', async () => {
    const { url } = await service({ [list]: [{ items: [] }], [ask]: [409] });
    const io = memoryIo();
    expect(await run([...commandLine, '--url', url], io)).toBe(3);
    expect(io.err()).toContain('Refused');
  });
});

describe('delete', () => {
  const path = '/v1/collections/news';
  const begun = { id: 'd1', collection: 'news', item: 'folder', state: 'in-progress', done: 0, total: 0 };
  const tombstone = { id: 'folder', attributes: { text: 'Folder' }, deleted: true, revision: 2 };
  const [removal, shown, item] = [
    `DELETE ${path}/items/folder`,
    `GET ${path}/deletions/d1`,
    `GET ${path}/items/folder`,
  ];

  /** A service that deletes in steps. */
  async function deleting(...steps: readonly object[]) {
    const asked: string[] = [];
    const { url } = await localServer((request, response) => {
      const name = `${request.method} ${request.url}`;
      const place = asked.filter((one) => one === shown).length;
      asked.push(name);
      if (name === removal) answerJson(response, begun, 202);
      else answerJson(response, name === item ? tombstone : (steps[Math.min(place, steps.length - 1)] ?? {}));
    });
    return { url, asked };
  }

  test('waits for what the service goes on with, with a bar on a terminal; shows the tombstone', async () => {
    const { url, asked } = await deleting(
      { ...begun, done: 600, total: 1200 },
      { ...begun, state: 'done', done: 1200, total: 1200 },
    );
    const io = memoryIo({ terminal: true });
    expect(await run(['delete', 'news', 'folder', '-o', 'json', '--url', url], io)).toBe(0);
    expect(JSON.parse(io.out())).toEqual(tombstone);
    expect(io.err().split('\r\u001b[K')).toEqual([
      '',
      '[------------------------] 0/0 outlines',
      '[############------------] 600/1,200 outlines',
      '',
    ]);
    expect(asked).toEqual([removal, shown, shown, item]);
  });

  test('ends with 1 and the reason if not everything could be deleted', async () => {
    const { url } = await deleting({
      ...begun,
      state: 'failed',
      done: 600,
      total: 1200,
      detail: 'It is full.',
    });
    const io = memoryIo();
    expect(await run(['delete', 'news', 'folder', '--url', url], io)).toBe(1);
    expect(io.err()).toBe('feedmesh: 600 of 1,200 outlines were deleted: It is full.\n');
  });
});
