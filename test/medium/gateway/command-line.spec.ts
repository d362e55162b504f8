import { beforeAll, describe, expect, test } from '@jest/globals';
import { collectionKey, subscriptionId } from '#core';
import { run } from '../../../apps/cli/src/run.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { temporaryFolder } from '../../cli/temporary-folder.ts';
import { useGateway } from './use-gateway.ts';

const lettersKey = collectionKey('letters');

const gateway = useGateway();
const folder = temporaryFolder();

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line against the gateway. */
async function feedmesh(commandLine: readonly string[], stdin = ''): Promise<Ended> {
  const io = memoryIo({ stdin, environment: { FEEDMESH_URL: gateway.url } });
  const code = await run(commandLine, io);
  return { code, out: io.out(), err: io.err() };
}

/** The JSON that a command prints, which must succeed. */
async function json<T = Record<string, unknown>>(commandLine: readonly string[], stdin = ''): Promise<T> {
  const { code, out, err } = await feedmesh([...commandLine, '-o', 'json'], stdin);
  expect([commandLine, code, err]).toEqual([commandLine, 0, '']);
  return JSON.parse(out) as T;
}

async function collection(name: string, ...options: readonly string[]): Promise<void> {
  await json(['collection', 'create', name, ...options]);
}

describe('feedmesh collection', () => {
  test('creates a collection with its settings, once, and shows it', async () => {
    const created = await feedmesh([
      'collection',
      'create',
      'todo',
      '--title',
      'To Do',
      '--set',
      'windowItems=500',
      '--set',
      'resolution={"policy":"latest"}',
    ]);
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toMatch(
      /^todo: To Do \(feedsync, atom\)\n {2}endpoint: test:todo\n {2}feed: http.*\/feeds\/todo\.atom\n/,
    );
    expect(created.out).toContain('  windowItems: 500\n');
    expect(created.out).toContain('  resolution: {"policy":"latest"}\n');
    expect((await feedmesh(['collection', 'show', 'todo'])).out).toBe(created.out);
    expect(await feedmesh(['collection', 'create', 'todo'])).toMatchObject({
      code: 3,
      err: 'feedmesh: there is already a collection todo; feedmesh collection set changes it\n',
    });
  });

  test('takes protocol, format and endpoint', async () => {
    expect(
      await json([
        'collection',
        'create',
        'own',
        '--protocol',
        'sse',
        '--format',
        'opml',
        '--endpoint',
        'me:own',
        '--set',
        'namespace=http',
      ]),
    ).toMatchObject({ protocol: 'sse', format: 'opml', endpoint: 'me:own', settings: { namespace: 'http' } });
  });

  test('changes title and settings, and takes settings away', async () => {
    await collection('changing', '--set', 'windowAge=100000', '--set', 'windowItems=5');
    expect(
      await json([
        'collection',
        'set',
        'changing',
        '--title',
        'New',
        '--set',
        'windowItems=6',
        '--unset',
        'windowAge',
      ]),
    ).toMatchObject({ title: 'New', settings: { windowItems: 6 } });
    expect(await json(['collection', 'show', 'changing'])).not.toHaveProperty('settings.windowAge');
    expect(await feedmesh(['collection', 'set', 'changing'])).toMatchObject({
      code: 64,
      err: 'feedmesh: name what to change: --title, --set or --unset\n',
    });
    expect(await feedmesh(['collection', 'set', 'missing', '--title', 'x'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('[collection-not-found]'),
    });
  });

  test('gives a collection another endpoint identifier', async () => {
    await collection('renewed');
    const random = await json(['collection', 'endpoint', 'renewed']);
    expect(random).toMatchObject({
      endpoint: expect.stringMatching(/^test:renewed:[0-9a-f]{20}$/),
      retiredEndpoints: ['test:renewed'],
    });
    expect(await feedmesh(['collection', 'endpoint', 'renewed', 'example.org:renewed'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('endpoint: example.org:renewed\n'),
    });
    expect(await feedmesh(['collection', 'endpoint', 'renewed', 'test:renewed'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('[endpoint-used]'),
    });
  });

  test('names rule and place of what the service refuses', async () => {
    const { code, err } = await feedmesh([
      'collection',
      'create',
      'wrong',
      '--set',
      'windowItems=many',
      '--set',
      'expiresAfter=1',
    ]);
    expect(code).toBe(3);
    expect(err).toMatch(/^feedmesh: Invalid input: .*\[invalid-input\]\n/);
    for (const place of ['body.settings.windowItems', 'body.settings.expiresAfter'])
      expect(err).toContain(place);
  });

  test('deletes a collection once that is confirmed', async () => {
    await collection('unwanted');
    expect(await feedmesh(['collection', 'delete', 'unwanted'])).toMatchObject({
      code: 64,
      err: expect.stringContaining('confirm it with --yes'),
    });
    expect(await feedmesh(['collection', 'delete', 'unwanted', '--yes'])).toEqual({
      code: 0,
      out: 'unwanted is deleted\n',
      err: '',
    });
    expect((await gateway.send('GET', '/v1/collections/unwanted')).status).toBe(404);
  });
});

describe('items', () => {
  beforeAll(async () => collection('items'));

  test('are added, changed field by field, deleted and undeleted', async () => {
    const added = await feedmesh([
      'add',
      'items',
      '--id',
      'tea',
      '--title',
      'Tea',
      '--content',
      'Assam',
      '--category',
      'drinks',
      '--category',
      'hot',
    ]);
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toMatch(
      /^tea: Tea \(1 update\)\n {2}content: Assam\n {2}categories: drinks, hot\n {2}1\t/,
    );
    expect(
      await json(['edit', 'items', 'tea', '--summary', 'A drink', '--link', 'https://example.org/tea']),
    ).toMatchObject({
      title: 'Tea',
      content: 'Assam',
      summary: 'A drink',
      categories: ['drinks', 'hot'],
      revision: 2,
    });
    expect(await json(['edit', 'items', 'tea', '--unset', 'summary', '--category', 'cold'])).toMatchObject({
      content: 'Assam',
      categories: ['cold'],
      link: 'https://example.org/tea',
    });
    expect(await json(['item', 'items', 'tea'])).not.toHaveProperty('summary');
    expect(await json(['delete', 'items', 'tea'])).toMatchObject({ deleted: true, sync: { updates: 4 } });
    expect(await json(['undelete', 'items', 'tea'])).toMatchObject({
      deleted: false,
      title: 'Tea',
      sync: { updates: 5 },
    });
  });

  test('that are deleted with their data come back with new content', async () => {
    await json(['add', 'items', '--id', 'gone', '--title', 'Gone']);
    expect(await json(['delete', 'items', 'gone', '--data', 'remove'])).not.toHaveProperty('title');
    expect(await json(['undelete', 'items', 'gone', '--title', 'Back'])).toMatchObject({
      deleted: false,
      title: 'Back',
    });
    expect(await json(['delete', 'items', 'gone', '--data', 'keep'])).toMatchObject({
      deleted: true,
      title: 'Back',
    });
  });

  test('get an id from the service if none is given', async () => {
    const { id } = await json<{ id: string }>(['add', 'items', '--title', 'Unnamed']);
    expect(await json(['item', 'items', id])).toMatchObject({ title: 'Unnamed' });
  });

  test('take content and markup from a file and from stdin', async () => {
    const file = await folder.write('content.html', '<p>Fresh</p>');
    await json(['add', 'items', '--id', 'page', '--title', 'Page', '--file', file, '--content-type', 'html']);
    expect(await json(['item', 'items', 'page'])).toMatchObject({
      content: '<p>Fresh</p>',
      contentType: 'html',
    });
    expect(
      await json(['edit', 'items', 'page', '--file', '-', '--content-type', 'text'], 'a < b\n'),
    ).toMatchObject({ content: 'a < b\n' });
    expect(await json(['item', 'items', 'page'])).not.toHaveProperty('contentType');
  });

  test('are copied as JSON, and changed as JSON only at the revision that was read', async () => {
    await json([
      'add',
      'items',
      '--id',
      'json',
      '--title',
      'JSON',
      '--payload',
      '<x:due xmlns:x="urn:example">tomorrow</x:due>',
    ]);
    const read = await json(['item', 'items', 'json']);
    await collection('copies');
    expect(
      await json(['add', 'copies', '--json', '-', '--title', 'Copy'], JSON.stringify(read)),
    ).toMatchObject({ id: 'json', title: 'Copy', payload: read['payload'], revision: 1 });
    const file = await folder.write('item.json', JSON.stringify({ ...read, content: 'more' }));
    expect(await json(['edit', 'items', 'json', '--json', file])).toMatchObject({
      title: 'JSON',
      content: 'more',
      payload: read['payload'],
    });
    expect(await feedmesh(['edit', 'items', 'json', '--json', file])).toMatchObject({
      code: 4,
      err: expect.stringContaining('[revision-mismatch]'),
    });
  });

  test.each([['edit', '--title', 'x'], ['delete'], ['undelete'], ['resolve', '--keep', 'winner']])(
    'of another revision than --if-match are left as they are by %s',
    async (command, ...options) => {
      await feedmesh(['add', 'items', '--id', `at-${command}`, '--title', 'At']);
      const before = await json(['item', 'items', `at-${command}`]);
      const refused = await feedmesh([command, 'items', `at-${command}`, ...options, '--if-match', '9']);
      expect([refused.code, refused.err]).toEqual([
        4,
        expect.stringContaining('The item is at revision 1, the edit was made for revision 9'),
      ]);
      expect(await json(['item', 'items', `at-${command}`])).toEqual(before);
    },
  );

  test('whose ids would be other addresses are found', async () => {
    for (const id of ['..', '.']) {
      await json(['add', 'items', '--id', id, '--title', 'Odd']);
      expect(await json(['edit', 'items', id, '--title', 'Odder'])).toMatchObject({ id, title: 'Odder' });
      expect(await json(['delete', 'items', id])).toMatchObject({ id, deleted: true });
    }
    expect((await gateway.send('GET', '/v1/collections/items')).status).toBe(200);
  });

  test('are outlines with attributes and a place', async () => {
    await collection('outlines', '--format', 'opml');
    for (const name of ['a', 'b'])
      await json([
        'add',
        'outlines',
        '--id',
        name,
        '--attribute',
        `text=${name}`,
        '--attribute',
        '{urn:x}y=1',
      ]);
    expect(await json(['edit', 'outlines', 'b', '--parent', 'a', '--position', '0'])).toMatchObject({
      parent: 'a',
      position: 0,
      attributes: { text: 'b', '{urn:x}y': '1' },
    });
    expect(await json(['edit', 'outlines', 'b', '--attribute', 'text=B'])).toMatchObject({
      parent: 'a',
      attributes: { text: 'B', '{urn:x}y': '1' },
    });
    expect(await json(['edit', 'outlines', 'b', '--parent', 'root', '--position', '0'])).toMatchObject({
      parent: null,
      position: 0,
    });
    expect(await json(['edit', 'outlines', 'b', '--parent', 'a'])).toMatchObject({ parent: 'a' });
    expect(await json(['delete', 'outlines', 'a', '--children', 'keep'])).toMatchObject({ deleted: true });
    expect(await json(['item', 'outlines', 'b'])).toMatchObject({ deleted: false });
  });

  test('of a tree are added and changed with their links', async () => {
    await collection('news', '--protocol', 'cse');
    const link = { url: 'https://example.org/a.jpg' };
    const item = await folder.write(
      'tree-item.json',
      JSON.stringify({ guid: 'bridge', title: 'Bridge', links: [link] }),
    );
    expect(await json(['add', 'news', '--json', item])).toMatchObject({ id: 'root:bridge', links: [link] });
    expect(await json(['edit', 'news', 'root:bridge', '--title', 'Bridge opens'])).toMatchObject({
      title: 'Bridge opens',
      links: [link],
    });
  });

  test('are not touched by a command line that says nothing or is wrong', async () => {
    const list = await folder.write('list.json', '[]');
    const cases: [string[], number, string][] = [
      [['add', 'items', '--id', 'x'], 64, 'name what to put into the item, such as --title'],
      [['edit', 'items', 'tea'], 64, 'name what to change, such as --title'],
      [['edit', 'items', 'tea', '--json', list], 64, `--json: ${list} must be a JSON object`],
      [['edit', 'items', 'tea', '--json', '-'], 64, '--json: stdin is not JSON: '],
      [
        ['edit', 'items', 'tea', '--json', '-', '--file', '-'],
        64,
        'only one of --file and --json can be stdin (-)',
      ],
      [['edit', 'items', 'tea', '--file', 'missing.html'], 2, 'cannot read missing.html: '],
      [
        ['edit', 'items', 'tea', '--content', 'x', '--file', list],
        64,
        "option '--content <text>' cannot be used with option '--file <file>'",
      ],
      [['edit', 'items', 'tea', '--attribute', 'text'], 64, 'It must be a name and a value: name=value.'],
      [
        ['edit', 'items', 'tea', '--if-match', 'x', '--title', 'y'],
        64,
        'It must be the revision of an item, such as 7.',
      ],
      [['edit', 'items', 'nobody', '--title', 'x'], 3, '[item-not-found]'],
    ];
    for (const [commandLine, code, message] of cases) {
      const ended = await feedmesh(commandLine);
      expect([commandLine, ended.code, ended.out]).toEqual([commandLine, code, '']);
      expect(ended.err).toContain(message);
    }
  });
});

describe('subscriptions', () => {
  const url = 'https://feeds.example/todo.atom';
  beforeAll(async () => collection('copy'));

  test('to one feed are made once, and the second time says under which name', async () => {
    expect(await feedmesh(['subscribe', 'copy', url, '--name', 'todo'])).toEqual({
      code: 0,
      out: `copy is subscribed to ${url} as todo\n`,
      err: '',
    });
    for (const again of [[], ['--name', 'todo']]) {
      expect(await feedmesh(['subscribe', 'copy', url, ...again])).toEqual({
        code: 0,
        out: `copy is already subscribed to ${url} as todo\n`,
        err: '',
      });
    }
    const other = await feedmesh(['subscribe', 'copy', url, '--name', 'other']);
    expect(other).toMatchObject({
      code: 3,
      err:
        `feedmesh: Already subscribed: The collection "copy" is already subscribed to ${url} as ` +
        '"todo". [already-subscribed]\n',
    });
  });

  test('to a page are made with --discover', async () => {
    const made = await json(['subscribe', 'copy', 'https://page.example/', '--name', 'page', '--discover']);
    expect(made).toMatchObject({ id: 'page', url: 'https://page.example/', discover: true });
  });

  test('with a name of their own take another URL', async () => {
    await feedmesh(['subscribe', 'copy', 'https://old.example/feed', '--name', 'moving']);
    expect((await feedmesh(['subscribe', 'copy', 'https://new.example/feed', '--name', 'moving'])).out).toBe(
      'copy is subscribed to https://new.example/feed as moving\n',
    );
  });

  test('are listed and counted by state and cause, and changed together', async () => {
    await collection('watched');
    const key = collectionKey('watched');
    const [at, next] = ['2026-01-01T00:00:00.000Z', '2126-01-01T00:00:00.000Z'];
    const [fetched, failed] = [{ outcome: 'fetched' }, { outcome: 'failed' }] as const;
    const add = async (name: string, cause?: string): Promise<void> => {
      await feedmesh(['subscribe', 'watched', `https://${name}.example/feed`, '--name', name]);
      await gateway.store.subscriptions.lease(key, subscriptionId(name), 'm1', 60_000);
      const report = { at: new Date(at), ...(cause === undefined ? fetched : { ...failed, cause }) };
      await gateway.store.subscriptions.complete(key, subscriptionId(name), 'm1', {
        report,
        nextFetchAt: new Date(next),
        nextFetchReason: 'the test says so',
      });
    };
    await add('fine');
    await add('slow', 'timeout');
    await add('lost', 'http-404');
    expect(await feedmesh(['feeds', 'watched'])).toEqual({
      code: 0,
      out: [
        ['fine', 'ok', '', at],
        ['lost', 'failing', 'http-404', 'never'],
        ['slow', 'failing', 'timeout', 'never'],
      ]
        .map((cells) =>
          [...cells, next, 'the test says so', `https://${cells[0]}.example/feed`, '\n'].join('\t'),
        )
        .join(''),
      err: '',
    });
    expect((await feedmesh(['feeds', '--state', 'failing', '--cause', 'timeout'])).out).toMatch(
      /^watched\/slow\tfailing\ttimeout\t/,
    );
    expect(await json(['feeds', 'watched', '--state', 'ok'])).toMatchObject([{ id: 'fine', state: 'ok' }]);
    expect((await feedmesh(['feeds', 'watched', '--count'])).out).toBe(
      '3 subscriptions\n        1  ok\n        0  slow\n        0  late\n        2  failing\n' +
        '        1    http-404\n        1    timeout\n        0  gone\n        0  paused\n        0  new\n',
    );
    expect(await feedmesh(['pause', 'watched', '--state', 'failing'])).toMatchObject({
      code: 0,
      out: '2 subscriptions paused\n',
    });
    expect((await feedmesh(['resume', 'watched', '--cause', 'timeout'])).out).toMatch(
      /^1 subscription resumed, fetched by 2/,
    );
    expect(await json(['refresh', 'watched', '--all'])).toMatchObject({ changed: 2 });
    expect(await json(['feeds', 'watched', '--count'])).toMatchObject({ states: { paused: 1, failing: 1 } });
  });

  test.each([
    [['pause', 'copy'], 'name a subscription, or say which ones with --state or --cause, or --all'],
    [['refresh'], 'name a subscription, or say which ones with --state or --cause, or --all'],
    [['resume', 'copy', 'todo', '--all'], '--state, --cause and --all are for many: name no subscription'],
    [['refresh', 'copy', '--all', '--wait'], '--wait is for one subscription'],
  ])('of no clear choice are not changed: %j', async (words, message) => {
    expect(await feedmesh(words)).toMatchObject({ code: 64, err: expect.stringContaining(message) });
  });

  test('are paused, resumed, refreshed and ended', async () => {
    await feedmesh(['subscribe', 'copy', 'https://calm.example/feed', '--name', 'calm']);
    expect(await feedmesh(['pause', 'copy', 'calm'])).toEqual({
      code: 0,
      out: 'calm of copy is paused\n',
      err: '',
    });
    expect(await feedmesh(['refresh', 'copy', 'calm'])).toMatchObject({
      code: 3,
      err: 'feedmesh: the subscription calm of copy is paused; feedmesh resume copy calm resumes it\n',
    });
    expect(await json(['resume', 'copy', 'calm'])).toMatchObject({ id: 'calm', status: 'active' });
    expect(await feedmesh(['refresh', 'copy', 'calm'])).toEqual({
      code: 0,
      out: 'calm of copy fetches https://calm.example/feed now\n',
      err: '',
    });
    expect(await json(['unsubscribe', 'copy', 'calm'])).toEqual({
      collection: 'copy',
      subscription: 'calm',
      deleted: true,
    });
    expect(await feedmesh(['unsubscribe', 'copy', 'calm'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('[subscription-not-found]'),
    });
  });
});

describe('OPML', () => {
  const opml = (...outlines: readonly string[]): string =>
    `<opml version="2.0"><head><title>Reading</title></head><body>${outlines.join('')}</body></opml>`;
  const feed = (name: string): string =>
    `<outline text="${name}" type="rss" xmlUrl="https://${name}.example/feed"/>`;
  beforeAll(async () => collection('reading', '--format', 'opml', '--title', 'Reading'));

  test('is imported as outlines, added or instead of those there are, and exported', async () => {
    const file = await folder.write('reading.opml', opml('<outline text="Folder">', feed('a'), '</outline>'));
    expect(await feedmesh(['import', 'reading', file])).toEqual({
      code: 0,
      out: 'reading: 2 created, 0 updated, 0 moved, 0 deleted, 0 unchanged\n',
      err: '',
    });
    expect(await json(['import', 'reading', '-', '--replace'], opml(feed('a'), feed('b')))).toMatchObject({
      created: 1,
      moved: 1,
      deleted: 1,
    });
    const exported = await feedmesh(['export', 'reading']);
    expect(exported).toMatchObject({ code: 0, err: '' });
    expect(exported.out).toMatch(/^<\?xml .*<title>Reading<\/title>/s);
    const addresses = [...exported.out.matchAll(/xmlUrl="(.*?)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(['https://a.example/feed', 'https://b.example/feed']);
    const { children } = await json<{ children: { id: string; attributes: object }[] }>([
      'export',
      'reading',
    ]);
    expect(children.map(({ attributes }) => attributes)).toMatchObject([{ text: 'a' }, { text: 'b' }]);
    const parent = children[0]?.id ?? '';
    expect(await json(['import', 'reading', '-', '--parent', parent], opml(feed('c')))).toMatchObject({
      created: 1,
    });
    expect(await json(['export', 'reading'])).toMatchObject({
      children: [{ children: [{ attributes: { text: 'c' } }] }, {}],
    });
  });

  test('is imported as a list of feeds to subscribe to, and exported', async () => {
    await collection('planet');
    await feedmesh(['subscribe', 'planet', 'https://a.example/feed']);
    const list = opml(
      feed('a'),
      '<outline text="F">',
      feed('b'),
      '</outline>',
      '<outline text="bad" xmlUrl="bad.example/feed"/>',
    );
    const imported = await feedmesh(['import', 'planet', '-', '--subscriptions'], list);
    expect(imported).toEqual({
      code: 1,
      out: 'planet: 1 subscribed, 1 already subscribed, 1 refused\n',
      err: 'bad.example/feed: `bad.example/feed` has no scheme; did you mean `https://bad.example/feed`?\n',
    });
    const exported = await feedmesh(['export', 'planet', '--subscriptions']);
    expect(exported.out.match(/xmlUrl="[^"]*"/g)).toEqual([
      'xmlUrl="https://a.example/feed"',
      'xmlUrl="https://b.example/feed"',
    ]);
    expect(
      (await json<{ url: string }[]>(['export', 'planet', '--subscriptions'])).map(({ url }) => url),
    ).toEqual(['https://a.example/feed', 'https://b.example/feed']);
  });

  test('of a collection without outlines is refused with what to do instead', async () => {
    await collection('plain');
    const document = await folder.write('plain.opml', opml(feed('a')));
    expect(await feedmesh(['import', 'plain', document])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/\[not-an-outline\]\n {2}--subscriptions subscribes/),
    });
    expect(await feedmesh(['export', 'plain'])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(/\[not-an-outline\]\n {2}--subscriptions exports/),
    });
    expect(await feedmesh(['import', 'reading', document, '--subscriptions', '--replace'])).toMatchObject({
      code: 64,
    });
    expect(await feedmesh(['import', 'reading', document, '--parent', 'x', '--replace'])).toMatchObject({
      code: 64,
    });
    expect(await feedmesh(['import', 'reading', 'missing.opml'])).toMatchObject({ code: 2 });
  });
});

describe('feedmesh dead-letters', () => {
  const violation = {
    rule: 'sync-updates',
    section: 'FeedSync 2.4',
    message: 'updates is 0',
    severity: 'error' as const,
    line: 3,
    column: 4,
  };
  const at = new Date('2026-01-01T00:00:00Z');
  const xml =
    '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
    '<sx:sync id="bad" updates="0"><sx:history sequence="1" by="x"/></sx:sync></entry>';
  const item = (id: string) => ({
    id,
    collection: lettersKey,
    subscription: subscriptionId('shop'),
    kind: 'item' as const,
    fragment: { xml, line: 3, column: 4, id: 'bad' },
    violations: [violation],
    at,
  });
  const command = (id: string, name: string) => ({
    id,
    collection: lettersKey,
    kind: 'command' as const,
    command: {
      name: 'subscribe',
      data: { collection: 'letters', subscription: name, url: `https://${name}.example/` },
    },
    violations: [{ ...violation, rule: 'command', message: 'not yet' }],
    at,
  });

  beforeAll(async () => collection('letters'));

  test('lists them with rule, place and reason', async () => {
    await gateway.store.deadLetters.add([item('letters.item'), command('letters.listed', 'listed')]);
    const rows = [
      'letters.item\t2026-01-01T00:00:00.000Z\tletters/shop\titem bad\tsync-updates\t3:4\tupdates is 0',
      'letters.listed\t2026-01-01T00:00:00.000Z\tletters\tcommand subscribe\tcommand\t\tnot yet',
    ];
    expect(await feedmesh(['dead-letters', 'list', '--collection', 'letters'])).toEqual({
      code: 0,
      out: `${rows.join('\n')}\n`,
      err: '',
    });
    expect(await json(['dead-letters', 'list', '--collection', 'letters'])).toMatchObject([
      { fragment: { xml } },
      { command: { name: 'subscribe' } },
    ]);
    await feedmesh(['dead-letters', 'discard', '--all', '--collection', 'letters']);
  });

  test('retries them, each by itself, and keeps those that are rejected again', async () => {
    await gateway.store.deadLetters.add([item('letters.still-bad'), command('letters.good', 'good')]);
    const retried = await feedmesh(['dead-letters', 'retry', 'letters.still-bad', 'letters.good']);
    expect(retried).toMatchObject({ code: 1, out: 'letters.good: retried\n' });
    expect(retried.err).toMatch(
      /^letters\.still-bad: Rejected again: .*\[rejected-again\]\n {2}3:4: updates is 0 \[sync-updates\]\n$/,
    );
    expect(await gateway.store.subscriptions.find(lettersKey, subscriptionId('good'))).toMatchObject({
      url: 'https://good.example/',
    });
    const left = await json<{ id: string }[]>(['dead-letters', 'list', '--collection', 'letters']);
    expect(left.map(({ id }) => id)).toContain('letters.still-bad');
    expect(left.map(({ id }) => id)).not.toContain('letters.good');
  });

  test('retries all that a rule was broken for', async () => {
    await gateway.store.deadLetters.add([item('letters.bad-again'), command('letters.fine', 'fine')]);
    expect(await feedmesh(['dead-letters', 'retry', '--all', '--rule', 'command'])).toMatchObject({
      code: 0,
      out: '1 dead letter retried, 0 refused\n',
    });
    const retried = await feedmesh(['dead-letters', 'retry', '--all', '--collection', 'letters']);
    expect(retried).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^0 dead letters retried, \d refused\n$/),
    });
    expect(retried.err).toContain('letters.bad-again: The item was rejected again. [rejected-again]\n');
    expect(await json(['dead-letters', 'retry', '--all', '--rule', 'none'])).toEqual({
      retried: 0,
      refused: 0,
      refusals: [],
    });
  });

  test('discards those that are named, or all of a collection', async () => {
    await gateway.store.deadLetters.add(
      ['one', 'two', 'three'].map((name) => command(`letters.${name}`, name)),
    );
    expect(await json(['dead-letters', 'discard', 'letters.one'])).toEqual([{ id: 'letters.one' }]);
    const all = await feedmesh(['dead-letters', 'discard', '--all', '--collection', 'letters']);
    expect(all).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+ dead letters discarded\n$/) });
    expect(await json(['dead-letters', 'list', '--collection', 'letters'])).toEqual([]);
    expect(await feedmesh(['dead-letters', 'discard', 'letters.one'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('[dead-letter-not-found]'),
    });
  });

  test('wants names, or all', async () => {
    for (const options of [[], ['letters.a', '--all'], ['letters.a', '--collection', 'letters']]) {
      expect((await feedmesh(['dead-letters', 'discard', ...options])).code).toBe(64);
    }
  });
});
