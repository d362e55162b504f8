import { feedXml, itemShapes, itemXml } from '../../growth/shapes/items.ts';
import { textShapes } from '../../growth/shapes/texts.ts';
import type { LargeInput } from '../large-input.ts';

const json = { 'content-type': 'application/json' };
const texts = (count: number, text: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, number) => text(number));

/** JSON of GATEWAY_BODY_BYTES, GATEWAY_JSON_VALUES or GATEWAY_JSON_DEPTH, by what it is. */
const bodies: Readonly<Record<string, () => unknown>> = {
  'long text': () => ({ content: 'a'.repeat(4_000_000) }),
  HTML: () => ({ content: '<p>a</p>'.repeat(500_000), contentType: 'html' }),
  'HTML references': () => ({ content: '<a href="b">c</a>'.repeat(230_000), contentType: 'html' }),
  XHTML: () => ({ content: '<p>a</p>'.repeat(500_000), contentType: 'xhtml' }),
  'long title': () => ({ title: '<'.repeat(1_000_000) }),
  elements: () => ({ payload: '<x:a xmlns:x="urn:x"/>'.repeat(8100) }),
  'elements in an element': () => ({ payload: `<a>${'<b/>'.repeat(1_000_000)}</a>` }),
  comments: () => ({ payload: '<!---->'.repeat(590_000) }),
  categories: () => ({ categories: texts(8100, (n) => `c${n}`) }),
  'unknown keys': () => Object.fromEntries(texts(39_000, (n) => `k${n}`).map((name) => [name, 1])),
  'wrong values': () => ({ categories: Array.from({ length: 39_000 }, () => 1) }),
  nested: () => JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`),
  'long id': () => ({ id: 'a'.repeat(4096), title: 'A' }),
  links: () => ({
    guid: 'a',
    title: 'A',
    links: texts(19_000, (n) => ({ url: `http://a.example/${n}` }) as never),
  }),
};

const kinds = [
  { protocol: 'feedsync', format: 'atom' },
  { protocol: 'feedsync', format: 'rss' },
  { protocol: 'sse', format: 'rss' },
  { protocol: 'cse', format: 'rss' },
] as const;

/** Items as JSON. */
export const jsonInputs: readonly LargeInput[] = kinds.flatMap((kind) =>
  Object.entries(bodies).map(([name, make]) => ({
    name: `GATEWAY_BODY_BYTES, JSON, ${kind.protocol} ${kind.format}: ${name}`,
    send: async (world) => {
      const path = await world.collection(kind);
      const body = JSON.stringify(make());
      await world.request('POST', `${path}/items`, { body, headers: json });
      await world.request('POST', `${path}/items`, {
        body: JSON.stringify({ id: 'b', guid: 'b', title: 'A' }),
        headers: json,
      });
      await world.request('PUT', `${path}/items/b`, { body, headers: json });
      await world.request('PATCH', `${path}/items/b`, {
        body,
        headers: { 'content-type': 'application/merge-patch+json' },
      });
      await world.request('GET', `${path}/items`);
    },
  })),
);

/** Items as XML. */
export const xmlInputs: readonly LargeInput[] = itemShapes
  .filter((shape) => shape.for === undefined)
  .map(({ name, limit, parts }) => ({
    name: `GATEWAY_BODY_BYTES, XML: ${name}`,
    send: async (world) => {
      const path = await world.collection(kinds[0]);
      const { children, root = '' } = parts(limit, 'plain-atom');
      const body = itemXml('plain-atom', { ...(children !== undefined && { children }) }).replace(
        '<entry',
        `<entry xmlns="http://www.w3.org/2005/Atom"${root}`,
      );
      await world.request('POST', `${path}/items`, {
        body,
        headers: { 'content-type': 'application/atom+xml' },
      });
    },
  }));

const outlines = '<outline text="a" type="rss" xmlUrl="http://a.example/"/>';

/** Everything else that takes a body, or has a long header or query. */
export const requestInputs: readonly LargeInput[] = [
  {
    name: 'GATEWAY_BODY_BYTES: subscription list',
    send: async (world) => {
      const path = await world.collection(kinds[0]);
      const all = texts(9000, (n) => outlines.replace('a.example/', `a.example/${n}`));
      const body = `<opml version="2.0"><body>${all.join('')}</body></opml>`;
      await world.request('POST', `${path}/subscriptions`, {
        body,
        headers: { 'content-type': 'text/x-opml' },
      });
      await world.request('GET', `${path}/subscriptions?limit=1000`);
      await world.request('GET', '/v1/subscriptions?limit=1000');
    },
  },
  {
    name: 'GATEWAY_BODY_BYTES: feed as a subscription list',
    send: async (world) => {
      const path = await world.collection(kinds[0]);
      await world.request('POST', `${path}/subscriptions`, {
        body: feedXml('atom', '<entry/>'.repeat(500_000)),
        headers: { 'content-type': 'text/x-opml' },
      });
    },
  },
  {
    name: 'header fields and query',
    send: async (world) => {
      const path = await world.collection(kinds[0]);
      const names = [
        'authorization',
        'accept',
        'accept-encoding',
        'if-none-match',
        'if-match',
        'range',
        'x-forwarded-for',
        'origin',
        'cookie',
        'content-type',
        'idempotency-key',
        'traceparent',
        'x-request-id',
      ];
      for (const { text } of textShapes) {
        const value = text(14_000)
          .replace(/[^\x20-\x7e]/g, 'a')
          .trim();
        for (const name of names)
          await world.request('GET', `/feeds/${path.slice(16)}/complete.atom`, {
            headers: { [name]: value },
          });
        await world.request('GET', `${path}/items?since=${encodeURIComponent(value).slice(0, 14_000)}`);
      }
    },
  },
  {
    name: 'GATEWAY_FILE_BYTES: 64 MB',
    send: async (world) => {
      const path = await world.collection(kinds[3]);
      await world.request('POST', `${path}/files`, {
        body: new Uint8Array(64_000_000),
        headers: { 'content-type': 'application/octet-stream' },
      });
    },
  },
];
