import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../../apps/cli/src/run.ts';
import { timeText } from '../../apps/cli/src/terminal/time.ts';
import { answerJson, closeServers, localServer } from './local-server.ts';
import { memoryIo } from './memory-io.ts';

afterEach(closeServers);

describe('a time', () => {
  const winter = '2026-11-21T11:27:19.083Z';

  test.each([
    ['Europe/Berlin', winter, '2026-11-21 12:27:19 +01:00'],
    ['Europe/Berlin', '2026-07-01T22:30:00Z', '2026-07-02 00:30:00 +02:00'],
    ['Asia/Kathmandu', winter, '2026-11-21 17:12:19 +05:45'],
    ['America/New_York', '2026-01-01T00:00:00Z', '2025-12-31 19:00:00 -05:00'],
    ['UTC', winter, '2026-11-21 11:27:19 +00:00'],
    ['Europe/Berlin', '2005-05-21T11:43:33+05:00', '2005-05-21 08:43:33 +02:00'],
  ])('is that of the zone %s on a terminal: %s', (timeZone, text, shown) => {
    expect(timeText(memoryIo({ terminal: true, timeZone }), text)).toBe(shown);
  });

  test.each([
    [winter, winter],
    ['2005-05-21T11:43:33+02:00', '2005-05-21T09:43:33Z'],
    ['2005-05-21T11:43:33.5-02:00', '2005-05-21T13:43:33.500Z'],
  ])('is UTC elsewhere: %s', (text, shown) => {
    expect(timeText(memoryIo({ timeZone: 'Europe/Berlin' }), text)).toBe(shown);
  });

  test.each(['', 'yesterday', '2026-11-21', '2026-13-01T00:00:00Z', '2026-12-31T23:59:60Z'])(
    'that is none stays as it is: %j',
    (text) => {
      for (const terminal of [true, false])
        expect(timeText(memoryIo({ terminal, timeZone: 'Europe/Berlin' }), text)).toBe(text);
    },
  );

  test('is that of the process if no zone is given', () => {
    const [date, time, offset] = timeText(memoryIo({ terminal: true }), winter).split(' ');
    expect(new Date(`${date}T${time}.083${offset}`).toISOString()).toBe(winter);
  });
});

describe('times of the service', () => {
  const [when, shown] = ['2026-07-01T22:30:00Z', '2026-07-02 00:30:00 +02:00'];
  const item = {
    id: 'tea',
    title: 'Tea',
    deleted: false,
    sync: { updates: 1, history: [{ sequence: 1, when, by: 'me' }] },
    conflicts: [],
    revision: 1,
  };
  const treeItem = {
    id: 'root:a',
    feed: 'root',
    guid: 'a',
    hidden: false,
    version: 1,
    deleted: false,
    lastBuildDate: when,
    links: [],
    revision: 1,
  };
  const event = {
    id: 'todo:0000000000000001',
    time: when,
    sequence: '0000000000000001',
    type: 'feedmesh.item.created.v1',
    subject: 'tea',
    data: {},
  };
  const answers: Readonly<Record<string, unknown>> = {
    '/v1/collections/todo/items/tea': item,
    '/v1/collections/news/items/a': treeItem,
    '/v1/collections/news': {
      name: 'news',
      protocol: 'cse',
      links: { feed: '/feeds/news.rss', tree: '/v1/collections/news/tree' },
    },
    '/v1/collections/news/items': { items: [treeItem] },
    '/v1/collections/todo/subscriptions': {
      items: [{ id: 'other', url: 'https://other.example/', status: 'active', nextFetchAt: when }],
    },
    '/v1/dead-letters': { items: [{ id: 'x', collection: 'todo', kind: 'item', violations: [], at: when }] },
  };

  /** What a command prints; `watch` until its first event. */
  async function printed(commandLine: readonly string[], terminal: boolean): Promise<string> {
    const { url } = await localServer((request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      if (pathname.endsWith('/changes'))
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(`data: ${JSON.stringify(event)}\n\n`);
      else answerJson(response, answers[pathname]);
    });
    const io = memoryIo({ terminal, timeZone: 'Europe/Berlin', environment: { NO_COLOR: '1' } });
    const running = run([...commandLine, '--url', url], io);
    if (commandLine[0] === 'watch') {
      await io.appeared(/tea/);
      io.interrupt();
    }
    expect(await running).toBe(0);
    return io.out();
  }

  test.each([
    [['item', 'todo', 'tea']],
    [['item', 'news', 'a']],
    [['ls', 'news']],
    [['subscriptions', 'todo']],
    [['dead-letters', 'list']],
    [['watch', 'todo', '--since', 'start']],
  ])('are local on a terminal, and UTC elsewhere: %j', async (commandLine) => {
    const [terminal, pipe, json] = [
      await printed(commandLine, true),
      await printed(commandLine, false),
      await printed([...commandLine, '-o', 'json'], true),
    ];
    expect([terminal, pipe, json]).toEqual([
      expect.stringContaining(shown),
      expect.stringContaining(when),
      expect.stringContaining(when),
    ]);
    for (const text of [pipe, json]) expect(text).not.toContain(shown);
  });
});
