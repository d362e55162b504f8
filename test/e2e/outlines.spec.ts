import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { finish } from '#core';
import { fieldsOfPayload, readOutlineDocument } from '#xml';
import type { OutlineNode } from '#xml';
import type { Instance } from '../../apps/standalone/src/instance.ts';
import { request } from '../support/request.ts';
import { ownRedisDatabase } from '../support/redis-database.ts';
import { isStress } from '../support/stress.ts';
import { until } from '../support/until.ts';
import { Instances } from '../support/instances.ts';

/** An outline as the tree shows it. */
interface Branch {
  readonly id: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children?: readonly Branch[];
}

type Answer = Record<string, unknown>;

/** Folders, and feeds in each: 5,000 nodes with the folders in the long form, else 500. */
const [folders, feedsEach] = [isStress ? 100 : 10, 49];
const nodeCount = folders * (feedsEach + 1);

const endpoints = ['left', 'right'] as const;
const all = new Instances();
let instances: Record<(typeof endpoints)[number], Instance>;

// Two endpoints, each four services with a database of its own.
beforeAll(async () => {
  await all.open();
  const start = async (name: string): Promise<Instance> =>
    (await all.start(name, await ownRedisDatabase())).instance;
  const [left, right] = await Promise.all([start('left'), start('right')]);
  instances = { left, right };
  for (const collection of ['reading', 'comics']) {
    for (const name of endpoints)
      await send(name, 'PUT', `/v1/collections/${collection}`, {
        protocol: 'sse',
        format: 'opml',
        endpoint: `test:${name}:${collection}`,
      });
    for (const [name, other] of [
      ['left', 'right'],
      ['right', 'left'],
    ] as const) {
      await send(name, 'PUT', `/v1/collections/${collection}/subscriptions/other`, {
        url: `${instances[other].url}/feeds/${collection}.opml`,
        interval: { minimum: 1, maximum: 1 },
      });
    }
  }
});

afterAll(() => all.end());

async function send(
  name: (typeof endpoints)[number],
  method: string,
  path: string,
  body?: object | string,
): Promise<Answer> {
  const type = typeof body === 'string' ? 'text/x-opml' : 'application/json';
  const response = await request(`${instances[name].url}${path}`, {
    method,
    headers: { 'content-type': type, accept: 'application/json' },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function opml(name: (typeof endpoints)[number], collection = 'reading'): Promise<string> {
  const url = `${instances[name].url}/v1/collections/${collection}/outline`;
  const response = await request(url, { headers: { accept: 'text/x-opml' } });
  expect(response.status).toBe(200);
  return response.text();
}

async function tree(name: (typeof endpoints)[number]): Promise<readonly Branch[]> {
  return (await send(name, 'GET', '/v1/collections/reading/outline'))['children'] as readonly Branch[];
}

function nodesOf(branches: readonly Branch[]): Branch[] {
  return branches.flatMap((branch) => [branch, ...nodesOf(branch.children ?? [])]);
}

function named(branches: readonly Branch[], text: string): Branch {
  const found = nodesOf(branches).find(({ attributes }) => attributes['text'] === text);
  if (found === undefined) throw new Error(`There is no outline ${text}.`);
  return found;
}

/** What an endpoint shows: the document that it exports, and the outlines in conflict. */
interface Shown {
  readonly document: string;
  readonly inConflict: readonly string[];
}

async function show(name: (typeof endpoints)[number]): Promise<Shown> {
  const { items } = await send(name, 'GET', '/v1/collections/reading/conflicts');
  return { document: await opml(name), inConflict: (items as readonly { id: string }[]).map(({ id }) => id) };
}

/**
 * Waits until both endpoints show the same, and `isDone` holds of it; returns that. They can be equal for a
 * moment before the last change has reached either: `isDone` names everything that is to come.
 */
async function inStep(isDone: (shown: Shown) => boolean): Promise<Shown> {
  const [left] = await until(
    () => Promise.all([show('left'), show('right')]),
    ([left, right]) => isDone(left) && isDeepStrictEqual(left, right),
  );
  return left;
}

/** What a feed reader exports: folders in folders, feeds, attributes and elements of its own. */
const exported = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.1" xmlns:fz="urn:example:reader">
  <head><title>Ray's feeds</title><dateCreated>Sat, 21 Nov 2026 10:00:00 GMT</dateCreated></head>
  <body>
    <outline text="News" title="News" fz:quickMode="false" isOpen="true">
      <outline type="rss" text="Lines &amp; &quot;quotes&quot; &lt;b&gt;" title="Lines"
        xmlUrl="http://lines.example/rss.xml?a=1&amp;b=2" htmlUrl="http://lines.example/"
        fz:options='{"a":1}'/>
      <outline text="Deep">
        <outline text="Deeper" category="/a,/b">
          <outline type="rss" text="Ünï 漢字 😀" xmlUrl="http://uni.example/feed"
            description="first&#10;second"/>
        </outline>
      </outline>
    </outline>
    <outline text="">
      <outline type="rss" text="Strips" xmlUrl="http://strips.example/rss.xml">
        <fz:tag name="x" xmlns:other="urn:example:other" other:y="1">hi <fz:b/> there</fz:tag>
        <!-- a remark -->
      </outline>
    </outline>
    <outline text="Strips" type="link" url="http://strips.example/"/>
  </body>
</opml>`;

/** An outline with all that is in it, as plain values. */
function meaningOf({ payload, children }: OutlineNode): object {
  return { ...fieldsOfPayload(payload), children: children.map(meaningOf) };
}

function subscriptionList(): string {
  const feeds = (folder: number): string[] =>
    Array.from(
      { length: feedsEach },
      (_, feed) =>
        `<outline type="rss" text="Feed ${folder}.${feed}" xmlUrl="http://feeds.example/${folder}/${feed}` +
        `.xml" htmlUrl="http://feeds.example/${folder}/${feed}" r:rating="${feed % 5}"/>`,
    );
  const outlines = Array.from(
    { length: folders },
    (_, folder) =>
      `<outline text="Folder ${folder}">${feeds(folder).join('\n')}<r:note>kept</r:note></outline>`,
  );
  return (
    '<opml version="1.0" xmlns:r="urn:example:reader"><head><title>Reading</title></head>' +
    `<body>${outlines.join('\n')}</body></opml>`
  );
}

test(`an outline of ${nodeCount} nodes that one endpoint imports is on the other, nothing lost`, async () => {
  await send('left', 'POST', '/v1/collections/reading/outline', subscriptionList());
  const { document } = await inStep((shown) => shown.document.includes(`Feed ${folders - 1}.48`));
  const nodes = nodesOf(await tree('right'));
  expect(nodes).toHaveLength(nodeCount);
  expect(nodes.filter(({ attributes }) => attributes['{urn:example:reader}rating'] === '4')).not.toHaveLength(
    0,
  );
  expect(document.match(/<r:note[^>]*>kept</g)).toHaveLength(folders);
  expect(nodes.map(({ attributes }) => attributes['text']).slice(0, 3)).toEqual([
    'Folder 0',
    'Feed 0.0',
    'Feed 0.1',
  ]);
});

test('moves at both endpoints at once that form a cycle end in the same tree on both', async () => {
  const before = await tree('left');
  const [first, second, third] = ['Folder 1', 'Folder 2', 'Folder 3'].map(
    (text) => named(before, text).id,
  ) as [string, string, string];
  for (const name of endpoints) await send(name, 'POST', '/v1/collections/reading/subscriptions/other/pause');
  await until(
    () =>
      Promise.all(endpoints.map((name) => send(name, 'GET', '/v1/collections/reading/subscriptions/other'))),
    (subscriptions) => subscriptions.every(({ isFetching }) => isFetching === false),
  );
  await send('left', 'PUT', `/v1/collections/reading/items/${first}`, { parent: second });
  await send('right', 'PUT', `/v1/collections/reading/items/${second}`, { parent: first });
  // The same location, twice: the ids decide.
  await send('left', 'PUT', `/v1/collections/reading/items/${third}`, { position: 0 });
  await send('right', 'PUT', `/v1/collections/reading/items/${named(before, 'Folder 4').id}`, {
    position: 0,
  });
  await send('left', 'PUT', `/v1/collections/reading/items/${named(before, 'Feed 7.7').id}`, {
    attributes: { text: 'Renamed by the left' },
  });
  await send('right', 'DELETE', `/v1/collections/reading/items/${named(before, 'Folder 8').id}`);
  for (const name of endpoints)
    await send(name, 'POST', '/v1/collections/reading/subscriptions/other/resume');

  // Every change has come, and the cycle is broken, which leaves a conflict.
  const { inConflict } = await inStep(
    ({ document, inConflict: found }) =>
      document.includes('Renamed by the left') && !document.includes('Folder 8"') && found.length > 0,
  );
  const [left, right] = [await tree('left'), await tree('right')];
  expect(right).toEqual(left);
  const nodes = nodesOf(left);
  expect(nodes).toHaveLength((folders - 1) * (feedsEach + 1));
  // The lower of the two ids was brought to the root, with the other in it.
  const [lower, higher] = [first, second].toSorted();
  expect(left.find(({ id }) => id === lower)?.children?.map(({ id }) => id)).toContain(higher);
  expect(left.map(({ id }) => id)).not.toContain(higher);
  expect(left.slice(0, 2).map(({ id }) => id)).toEqual([third, named(before, 'Folder 4').id].toSorted());
  expect(inConflict).toEqual([lower]);
});

test('what a feed reader has exported survives import, synchronisation and export', async () => {
  await send('left', 'POST', '/v1/collections/comics/outline', exported);
  const meanings = finish(readOutlineDocument(exported)).outlines.map(meaningOf);
  const [left, right] = await until(
    () => Promise.all([opml('left', 'comics'), opml('right', 'comics')]),
    (documents) =>
      documents.every(
        (document) => document === documents[0] && document.includes('http://strips.example/"'),
      ),
  );
  expect(finish(readOutlineDocument(left)).outlines.map(meaningOf)).toEqual(meanings);
  expect(right).toBe(left);
});
