import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { answerJson, bodyOf, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

const collections = {
  items: [
    {
      name: 'todo',
      title: 'To Do',
      protocol: 'feedsync',
      format: 'atom',
      endpoint: 'example:todo',
      cursor: '0000000000000000',
      counts: {
        items: 1200,
        deletedItems: 4,
        conflicts: 1,
        subscriptions: { ok: 2, slow: 0, late: 0, failing: 1, gone: 0, paused: 0, new: 0 },
      },
      links: { feed: 'http://127.0.0.1/feeds/todo.atom' },
    },
  ],
};
const version = (title: string, by: string) => ({
  id: 'item_1',
  title,
  content: 'milk\neggs',
  deleted: false,
  sync: {
    updates: 2,
    history: [
      { sequence: 2, when: '2005-05-21T10:43:33Z', by },
      { sequence: 1, by: 'REO1750' },
    ],
  },
});
const groceries = {
  ...version('Buy groceries', 'GPM7383'),
  revision: 7,
  conflicts: [version('Buy groceries - DONE', 'JEO2000')],
};
const tombstone = {
  ...version('Old\u001b[31m', 'X'),
  id: 'item_2',
  deleted: true,
  revision: 1,
  conflicts: [],
};

type Answer = (response: ServerResponse, body: unknown, headers: IncomingHttpHeaders) => void;

/** A service whose responses are chosen by method and path. */
async function service(answers: Readonly<Record<string, Answer>>) {
  return localServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const answer = answers[`${method} ${url}`];
    if (answer === undefined) answerJson(response, { title: 'Not found', detail: `there is no ${url}` }, 404);
    else if (method === 'GET') answer(response, undefined, headers);
    else void bodyOf(request).then((body) => answer(response, body, headers));
  });
}

describe('ls', () => {
  test('lists the collections as tab-separated rows for programs, as a table on a terminal', async () => {
    const { url } = await service({ 'GET /v1/collections': (response) => answerJson(response, collections) });
    const program = memoryIo();
    expect(await run(['ls', '--url', url], program)).toBe(0);
    expect(program.out()).toBe('todo\tTo Do\tfeedsync\tatom\texample:todo\t1200\t1\t2 ok, 1 failing\n');
    const person = memoryIo({ terminal: true, environment: { NO_COLOR: '1' } });
    expect(await run(['ls', '--url', url], person)).toBe(0);
    expect(person.out()).toBe(
      'NAME  TITLE  PROTOCOL  FORMAT  ENDPOINT      ITEMS  CONFLICTS  SUBSCRIPTIONS\n' +
        'todo  To Do  feedsync  atom    example:todo  1200   1          2 ok, 1 failing\n',
    );
  });

  test(
    'lists the items of every page with who changed them last, their conflicts and whether they are ' +
      'deleted',
    async () => {
      const { url } = await service({
        'GET /v1/collections/todo': (response) => answerJson(response, collections.items[0]),
        'GET /v1/collections/todo/items': (response) =>
          answerJson(response, { items: [groceries], next: 'a+b' }),
        'GET /v1/collections/todo/items?cursor=a%2Bb': (response) =>
          answerJson(response, { items: [tombstone] }),
      });
      const io = memoryIo({ environment: { FEEDMESH_URL: `${url}/` } });
      expect(await run(['ls', 'todo'], io)).toBe(0);
      expect(io.out()).toBe('item_1\tBuy groceries\t2\tGPM7383\t1\t\nitem_2\tOld [31m\t2\tX\t0\tdeleted\n');
      const json = memoryIo({ environment: { FEEDMESH_URL: url } });
      expect(await run(['ls', 'todo', '-o', 'json'], json)).toBe(0);
      expect(JSON.parse(json.out())).toEqual([groceries, tombstone]);
    },
  );

  test('lists the items that are in a state or contain some words, in an order', async () => {
    const query = 'state=live&sort=-updated&q=milk+eggs';
    const { url } = await service({
      'GET /v1/collections/todo': (response) => answerJson(response, collections.items[0]),
      [`GET /v1/collections/todo/items?${query}`]: (response) =>
        answerJson(response, { items: [], next: 'abc.def' }),
      [`GET /v1/collections/todo/items?${query}&cursor=abc.def`]: (response) =>
        answerJson(response, { items: [groceries] }),
    });
    const io = memoryIo();
    const selection = ['--state', 'live', '--sort', '-updated', '--search', 'milk eggs'];
    expect(await run(['ls', 'todo', ...selection, '--url', url], io)).toBe(0);
    expect(io.out()).toBe('item_1\tBuy groceries\t2\tGPM7383\t1\t\n');
    expect(await run(['ls', '--state', 'live', '--url', url], io)).toBe(64);
    expect(io.err()).toContain('--state, --sort and --search need a collection');
  });

  test('prints an empty JSON array if there is nothing', async () => {
    const { url } = await service({
      'GET /v1/collections': (response) => answerJson(response, { items: [] }),
    });
    const io = memoryIo();
    expect(await run(['ls', '-o', 'json', '--url', url], io)).toBe(0);
    expect(JSON.parse(io.out())).toEqual([]);
  });
});

describe('conflicts', () => {
  test('lists the items in conflict of all collections, or of one', async () => {
    const { url } = await service({
      'GET /v1/conflicts': (response) =>
        answerJson(response, { items: [{ ...groceries, collection: 'todo' }] }),
      'GET /v1/collections/todo/conflicts': (response) => answerJson(response, { items: [groceries] }),
    });
    const all = memoryIo();
    expect(await run(['conflicts', '--url', url], all)).toBe(0);
    expect(all.out()).toBe('todo\titem_1\tBuy groceries\t2\tGPM7383\t1\t\n');
    const one = memoryIo();
    expect(await run(['conflicts', 'todo', '--url', url], one)).toBe(0);
    expect(one.out()).toBe('item_1\tBuy groceries\t2\tGPM7383\t1\t\n');
  });
});

describe('collection show', () => {
  test('shows how much is in the collection', async () => {
    const [todo] = collections.items;
    const { url } = await service({
      'GET /v1/collections/todo': (response) => answerJson(response, { ...todo, settings: {} }),
    });
    const io = memoryIo();
    expect(await run(['collection', 'show', 'todo', '--url', url], io)).toBe(0);
    expect(io.out()).toContain(
      '  items: 1,200 items, 4 deleted\n  conflicts: 1\n  subscriptions: 2 ok, 1 failing\n',
    );
  });
});

const outline = {
  id: 'r2',
  attributes: { text: 'Daily news', xmlUrl: 'http://example.com/news' },
  deleted: false,
  parent: 'r1',
  position: 0,
  sync: {
    version: 3,
    conflict: true,
    history: [{ when: '2005-05-21T10:43:33Z', by: 'GPM7383' }, { by: 'REO1750' }],
  },
  conflicts: [
    { version: 3, when: '2005-05-21T10:40:00Z', by: 'REO1750', deleted: true, attributes: { text: 'News' } },
  ],
  revision: 9,
};

describe('item', () => {
  test('shows an item with its fields, its history and each conflict under its number', async () => {
    const { url } = await service({
      'GET /v1/collections/todo/items/item%201': (response) => answerJson(response, groceries),
    });
    const io = memoryIo();
    expect(await run(['item', 'todo', 'item 1', '--url', url], io)).toBe(0);
    expect(io.out()).toContain(
      'item_1: Buy groceries (2 updates)\n  content: milk\n    eggs\n  ' +
        '2\t2005-05-21T10:43:33Z\tGPM7383\n  1\t\tREO1750\n',
    );
    expect(io.out()).toContain('conflict 0: Buy groceries - DONE (2 updates)');
    expect(io.out()).toContain('--if-match 7');
  });

  test.each([
    ['..', '~AC4ALg'],
    ['item/1', '~AGkAdABlAG0ALwAx'],
    ['100%', '~ADEAMAAwACU'],
  ])('reads %s at the address that no client rewrites', async (id, segment) => {
    const { url } = await service({
      [`GET /v1/collections/todo/items/${segment}`]: (response) => answerJson(response, groceries),
    });
    expect(await run(['item', 'todo', id, '--url', url], memoryIo())).toBe(0);
  });

  test('shows an outline with its place and attributes, its versions, and what conflicts hold', async () => {
    const { url } = await service({
      'GET /v1/collections/feeds/items/r2': (response) => answerJson(response, outline),
    });
    const io = memoryIo();
    expect(await run(['item', 'feeds', 'r2', '--url', url], io)).toBe(0);
    expect(io.out()).toContain(
      'r2: Daily news (in conflict, version 3)\n  parent: r1\n  position: 0\n  xmlUrl: ' +
        'http://example.com/news\n  3\t2005-05-21T10:43:33Z\tGPM7383\n  2\t\tREO1750\n',
    );
    expect(io.out()).toContain('conflict 0: News (deleted, version 3)\n  3\t2005-05-21T10:40:00Z\tREO1750\n');
    expect(io.out()).toContain('1 conflict; to resolve: feedmesh resolve COLLECTION ID --if-match 9');
  });

  test('prints the whole response as JSON', async () => {
    const { url } = await service({
      'GET /v1/collections/todo/items/item_1': (response) => answerJson(response, groceries),
    });
    const io = memoryIo();
    expect(await run(['item', 'todo', 'item_1', '-o', 'json', '--url', url], io)).toBe(0);
    expect(JSON.parse(io.out())).toEqual(groceries);
  });
});

describe('resolve', () => {
  test(
    'sends which version to keep, for one revision only if it is named, and shows the item as it ' +
      'then is',
    async () => {
      const asked: unknown[] = [];
      const { url } = await service({
        'POST /v1/collections/todo/items/item_1/resolve': (response, body, headers) => {
          asked.push([body, headers['if-match']]);
          answerJson(response, { ...groceries, conflicts: [] });
        },
      });
      const io = memoryIo();
      expect(await run(['resolve', 'todo', 'item_1', '--keep', 'winner', '--url', url], io)).toBe(0);
      expect(io.out()).not.toContain('conflict');
      for (const option of ['--if-match', '--revision'])
        expect(
          await run(['resolve', 'todo', 'item_1', '--keep', '0', option, '7', '--url', url], memoryIo()),
        ).toBe(0);
      expect(asked).toEqual([
        [{ keep: 'winner' }, undefined],
        [{ keep: { conflict: 0 } }, '"7"'],
        [{ keep: { conflict: 0 } }, '"7"'],
      ]);
    },
  );
});

describe('subscribe', () => {
  test('subscribes under a name that is given, or under one that the service makes', async () => {
    const asked: unknown[] = [];
    const { url } = await service({
      'PUT /v1/collections/todo/subscriptions/jack': (response, body) => {
        asked.push(body);
        answerJson(response, { id: 'jack', url: 'http://example.com/B.xml', status: 'active' }, 201);
      },
      'POST /v1/collections/todo/subscriptions': (response, body) => {
        asked.push(body);
        answerJson(response, { id: 'example-com-1', url: 'http://example.com/B.xml', status: 'active' }, 201);
      },
    });
    const named = memoryIo();
    expect(
      await run(
        [
          'subscribe',
          'todo',
          'http://example.com/B.xml',
          '--name',
          'jack',
          '--interval',
          '5,50',
          '--adopt',
          'no',
          '--url',
          url,
        ],
        named,
      ),
    ).toBe(0);
    expect(named.out()).toBe('todo is subscribed to http://example.com/B.xml as jack\n');
    const unnamed = memoryIo();
    expect(
      await run(['subscribe', 'todo', 'http://example.com/B.xml', '-o', 'json', '--url', url], unnamed),
    ).toBe(0);
    expect(JSON.parse(unnamed.out())).toMatchObject({ id: 'example-com-1' });
    expect(asked).toEqual([
      { url: 'http://example.com/B.xml', interval: { minimum: 5, maximum: 50 }, adopt: false },
      { url: 'http://example.com/B.xml' },
    ]);
  });

  test('takes credentials from a file or stdin, and repeats none of what it says', async () => {
    const bodies: unknown[] = [];
    const { url } = await service({
      'POST /v1/collections/todo/subscriptions': (response, body) => {
        bodies.push(body);
        answerJson(response, { id: 'b', url: 'http://example.com/B.xml', status: 'active' }, 201);
      },
    });
    const command = ['subscribe', 'todo', 'http://example.com/B.xml', '--credentials', '-', '--url', url];
    const credentials = { kind: 'bearer', token: 'hidden' };
    expect(await run(command, memoryIo({ stdin: JSON.stringify(credentials) }))).toBe(0);
    expect(bodies).toEqual([{ url: 'http://example.com/B.xml', credentials }]);
    for (const stdin of ['hidden', '{"kind":"bearer","token":"hidden "}']) {
      const io = memoryIo({ stdin });
      expect(await run(command, io)).toBe(64);
      expect(io.err()).toMatch(/^feedmesh: the credentials in stdin: (?!.*hidden)/);
    }
  });

  test('sets what requests send, and takes cookies from a file or stdin', async () => {
    const bodies: unknown[] = [];
    const { url } = await service({
      'POST /v1/collections/todo/subscriptions': (response, body) => {
        bodies.push(body);
        answerJson(response, { id: 'b', url: 'http://example.com/B.xml', status: 'active' }, 201);
      },
    });
    const feed = 'http://example.com/B.xml';
    const command = ['subscribe', 'todo', feed, '--cookie', '-', '--url', url];
    const fields = ['--user-agent', 'Reader/1', '--accept-language', 'de'];
    expect(await run([...command, ...fields], memoryIo({ stdin: 'session=hidden; a=1\n' }))).toBe(0);
    const removed = ['--user-agent', '', '--accept-language', ''];
    expect(await run(['subscribe', 'todo', feed, ...removed, '--url', url], memoryIo())).toBe(0);
    const credentials = { kind: 'headers', headers: { Cookie: 'session=hidden; a=1' } };
    expect(bodies).toEqual([
      { url: feed, userAgent: 'Reader/1', acceptLanguage: 'de', credentials },
      { url: feed, userAgent: null, acceptLanguage: null },
    ]);
    const io = memoryIo({ stdin: 'hidden' });
    expect(await run(command, io)).toBe(64);
    expect(io.err()).toBe(
      'feedmesh: the cookies in stdin: headers.Cookie: cookies are "name=value; name=value" ' +
        '(RFC 6265, 4.2.1)\n',
    );
    expect(await run([...command, '--credentials', '-'], memoryIo())).toBe(64);
  });

  test('lists how the subscriptions fare', async () => {
    const failed = {
      id: 'jack',
      url: 'http://example.com/B.xml',
      status: 'active',
      failures: 2,
      nextFetchAt: '2026-01-01T00:00:00.000Z',
      last: { at: '', outcome: 'failed', reason: 'HTTP 500' },
    };
    const { url } = await service({
      'GET /v1/collections/todo/subscriptions': (response) =>
        answerJson(response, {
          items: [
            failed,
            { ...failed, id: 'new', last: undefined, failures: 0 },
            {
              ...failed,
              id: 'tree',
              failures: 0,
              last: {
                at: '',
                outcome: 'fetched',
                items: 2,
                progress: { done: 9, total: 9, bytes: 999, failed: 1 },
              },
            },
          ],
        }),
    });
    const io = memoryIo();
    expect(await run(['subscriptions', 'todo', '--url', url], io)).toBe(0);
    expect(io.out()).toBe(
      'jack\tactive\tfailed: HTTP 500\t2\t2026-01-01T00:00:00.000Z\thttp://example.com/' +
        'B.xml\nnew\tactive\tnot yet fetched\t0\t2026-01-01T00:00:00.000Z\thttp://example.com/B.xml\n' +
        'tree\tactive\tfetched: 9/9 documents, 999 B, 1 failed\t0\t2026-01-01T00:00:00.000Z\thttp://' +
        'example.com/B.xml\n',
    );
  });
});

describe('feeds', () => {
  test('lists how feeds are, when they are fetched next and why, and what their hubs do', async () => {
    const feed = {
      collection: 'news',
      id: 'plain',
      url: 'http://example.com/a.xml',
      status: 'active',
      state: 'ok',
      succeededAt: '2026-01-01T00:00:00Z',
      nextFetchAt: '2026-01-02T00:00:00Z',
      nextFetchReason: 'ttl',
    };
    const hub = { url: 'http://hub.example/', topic: 'http://example.com/a.xml' };
    const { url } = await service({
      'GET /v1/subscriptions': (response) =>
        answerJson(response, {
          items: [
            feed,
            { ...feed, id: 'leased', hub: { ...hub, leasedUntil: '2026-01-09T00:00:00Z' } },
            { ...feed, id: 'refused', hub: { ...hub, reason: 'the hub has refused' } },
            { ...feed, id: 'named', hub },
          ],
        }),
    });
    const io = memoryIo();
    expect(await run(['feeds', '--url', url], io)).toBe(0);
    const rows = io.out().trimEnd().split('\n');
    expect(rows[0]).toBe(
      'news/plain\tok\t\t2026-01-01T00:00:00Z\t2026-01-02T00:00:00Z\tttl\thttp://example.com/a.xml\t',
    );
    expect(rows.slice(1).map((row) => row.split('\t').at(-1))).toEqual([
      'until 2026-01-09T00:00:00Z',
      'the hub has refused',
      'not requested yet',
    ]);
  });
});

describe('a service that refuses', () => {
  test('has its problem shown with each error, and the command ends with 3', async () => {
    const problem = {
      title: 'Invalid XML',
      detail: 'The payload is not well-formed.',
      violations: [
        {
          message: 'unclosed tag: b',
          rule: 'xml-well-formed',
          section: 'XML 1.0',
          severity: 'error',
          line: 1,
          column: 9,
        },
      ],
      errors: [{ path: 'body.url', message: 'Invalid URL' }],
    };
    const { url } = await service({
      'GET /v1/collections/todo/items/x': (response) => answerJson(response, problem, 422),
    });
    const io = memoryIo();
    expect(await run(['item', 'todo', 'x', '--url', url], io)).toBe(3);
    expect(io.err()).toBe(
      'feedmesh: Invalid XML: The payload is not well-formed.\n  body.url: Invalid URL\n  1:9: unclosed ' +
        'tag: b [xml-well-formed]\n',
    );
    expect(io.out()).toBe('');
  });

  test('has nothing shown of a problem that is none of Feedmesh', async () => {
    const { url } = await service({
      'GET /v1/collections/todo/items/x': (response) => answerJson(response, { title: 7, errors: 'no' }, 502),
    });
    const io = memoryIo();
    expect(await run(['item', 'todo', 'x', '--url', url], io)).toBe(3);
    expect(io.err()).toBe('feedmesh: HTTP 502\n');
  });

  test('is distinguished from a missing one, a slow one and another program', async () => {
    const { url } = await localServer((request, response) => {
      if (request.url === '/html/v1/collections') response.end('<html>');
    });
    const cases = [
      ['http://127.0.0.1:1', [], /cannot use the service at http:\/\/127\.0\.0\.1:1: /],
      [url, ['--timeout', '0.2'], /no answer within 0\.2 seconds \(--timeout\)/],
      [`${url}/html`, [], /cannot use the service at .*\/html: .*JSON/],
    ] as const;
    for (const [base, options, reason] of cases) {
      const io = memoryIo();
      expect(await run(['ls', '--url', base, ...options], io)).toBe(3);
      expect(io.err()).toMatch(reason);
    }
  });
});
