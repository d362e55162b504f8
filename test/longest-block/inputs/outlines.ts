import type { LargeInput, World } from '../large-input.ts';
import { each } from './each.ts';

const kind = { protocol: 'sse', format: 'opml' } as const;
const opml = { 'content-type': 'text/x-opml' };
const json = { 'content-type': 'application/json' };
const document = (body: string, root = ''): string =>
  `<opml version="2.0"${root}><head><title>A</title></head><body>${body}</body></opml>`;
const feed = (n: number): string => `<outline text="${n}"/>`;

/** Outlines of GATEWAY_BODY_BYTES, by their shape. */
const imports: Readonly<Record<string, () => string>> = {
  '150,000 in one': () => `<outline text="F">${each(150_000, feed)}</outline>`,
  folders: () => each(200, (n) => `<outline text="${n}">${each(50, feed)}</outline>`),
  'in one another': () => '<outline text="a">'.repeat(900) + '</outline>'.repeat(900),
  'long attribute': () => `<outline text="${'a'.repeat(4_000_000)}"/>`,
  attributes: () => each(10_000, (n) => `<outline text="a"${each(25, (a) => ` a${a}="${n}"`)}/>`),
  elements: () => `<outline text="a">${'<x:a xmlns:x="urn:x"/>'.repeat(39_000)}</outline>`,
  'long head': () => `<outline text="a"/></body><head>${'<a/>'.repeat(900_000)}</head><body>`,
};

async function sendAndRead(world: World, name: string, body: string): Promise<void> {
  const path = await world.collection(kind);
  const outline = `${path}/outline`;
  await world.request('PUT', outline, { body: document(body), headers: opml });
  await world.request('PUT', outline, { body: document(body), headers: opml });
  await readOutline(world, path);
  await world.request('POST', outline, { body: document(feed(0)), headers: opml });
  if (name !== '150,000 in one') return;
  const moved = `${path}/items/f`;
  await world.request('POST', `${path}/items`, {
    body: JSON.stringify({ id: 'f', attributes: { text: 'F' } }),
    headers: json,
  });
  await world.request('PATCH', moved, {
    body: JSON.stringify({ position: 0 }),
    headers: { 'content-type': 'application/merge-patch+json' },
  });
}

async function readOutline(world: World, path: string): Promise<void> {
  const name = path.slice('/v1/collections/'.length);
  await world.request('GET', `${path}/outline`);
  await world.request('GET', `${path}/outline?depth=1`);
  await world.request('GET', `${path}/outline`, { headers: { accept: 'text/x-opml' } });
  for (const rest of ['items?limit=1000', 'changes?since=0000000000000000', 'conflicts'])
    await world.request('GET', `${path}/${rest}`);
  for (const feedPath of ['complete.opml', 'partial.opml', 'reader.opml', 'reader.rss', 'reader.atom'])
    await world.request('GET', `/feeds/${name}/${feedPath}`);
}

/** Outlines that are sent to the gateway, and read there. */
export const outlineInputs: readonly LargeInput[] = [
  ...Object.entries(imports).map(([name, body]) => ({
    name: `GATEWAY_BODY_BYTES, outlines: ${name}`,
    send: (world: World) => sendAndRead(world, name, body()),
  })),
  {
    name: 'FEED_OUTLINE_DEPTH, outlines: fetched',
    send: async (world) => {
      const deep = '<outline text="a">'.repeat(990) + '</outline>'.repeat(990);
      await world.fetched(kind, { body: document(deep), headers: opml });
    },
  },
  {
    name: 'FEED_ITEMS, outlines: 10,000 of SSE fetched',
    send: async (world) => {
      const sync = (n: number): string =>
        `<outline text="${n}"><sx:sync id="${n}" version="1">` +
        '<sx:history when="Thu, 01 Jan 2026 00:00:00 GMT" by="a"/></sx:sync></outline>';
      const root = ' xmlns:sx="https://www.microsoft.com/schemas/rss/sse"';
      const path = await world.fetched(kind, {
        body: document(`<outline text="F">${each(10_000, sync)}</outline>`, root),
        headers: opml,
      });
      await readOutline(world, path);
    },
  },
];
