import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { compareCodePoints, itemId } from '#core';
import type { Placed } from '#core';
import { arrange, placeItems } from '#sse';
import { useGateway } from '../medium/gateway/use-gateway.ts';
import { growthOf, longestTurn } from '../support/growth/processor-time.ts';

/** How long a request may keep the event loop, in milliseconds. */
const mostTurn = 100;

const count = 20_000;

const gateway = useGateway();

const outlines = (length: number): string =>
  Array.from({ length }, (_, place) => `<outline text="${place}"/>`).join('');

function nested(depth: number): string {
  return `${'<outline text="in">'.repeat(depth)}${'</outline>'.repeat(depth)}`;
}

const shapes = {
  flat: outlines(count),
  deep: nested(500).repeat(count / 500),
};

/** Sends a request past `fetch`, whose check of responses would keep the event loop itself. */
function send(method: string, path: string, body?: unknown, accept = 'application/json'): Promise<void> {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/x-opml' : 'application/json';
  return new Promise((resolve, reject) => {
    request(new URL(path, gateway.url), { method, headers: { accept, 'content-type': type } }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 300) reject(new Error(`${method} ${path}: ${statusCode}`));
      response.resume().once('end', resolve).once('error', reject);
    })
      .once('error', reject)
      .end(content);
  });
}

const opml = (body: string): string => `<opml version="1.0"><head/><body>${body}</body></opml>`;

describe.each(Object.entries(shapes))(`${count} outlines, %s`, (shape, body) => {
  const path = `/v1/collections/${shape}`;
  let imports = 0;

  /** Imports them into another collection each time; the first one is the one that is read. */
  const importAll = async (): Promise<void> => {
    const name = imports === 0 ? path : `${path}-${imports}`;
    imports += 1;
    await send('PUT', name, { format: 'opml' });
    await send('POST', `${name}/outline`, opml(body));
  };

  test.each<[string, () => Promise<unknown>]>([
    ['importing them', importAll],
    ['importing them again', () => send('PUT', `${path}/outline`, opml(body))],
    ['adding an outline by OPML', () => send('POST', `${path}/outline`, opml(outlines(1)))],
    ['adding an outline by JSON', () => send('POST', `${path}/items`, { attributes: { text: 'new' } })],
    ['listing them', () => send('GET', `${path}/items?limit=100`)],
    ['reading them as JSON', () => send('GET', `${path}/outline`)],
    ['reading them as OPML', () => send('GET', `${path}/outline`, undefined, 'text/x-opml')],
    ['reading their feed', () => send('GET', `/feeds/${shape}/complete.opml`)],
  ])('%s never keeps the event loop for long', async (_name, work) => {
    expect(await longestTurn(mostTurn, work)).toBeLessThan(mostTurn);
  });
});

test('adding an outline takes as long among many siblings as among few', async () => {
  const imported = async (name: string, length: number): Promise<void> => {
    await send('PUT', `/v1/collections/${name}`, { format: 'opml' });
    await send('POST', `/v1/collections/${name}/outline`, opml(outlines(length)));
  };
  await imported('few', 2500);
  await imported('many', 10_000);
  const growth = await growthOf(1, (size) => async () => {
    for (let time = 0; time < 10; time += 1)
      await send('POST', `/v1/collections/${size === 1 ? 'few' : 'many'}/outline`, opml(outlines(1)));
  });
  expect(growth).toBeLessThan(1.6);
});

describe('placing items grows no faster than sorting them by id', () => {
  const id = (place: number) => itemId(`item ${place}`);
  const items = (length: number, position: (place: number) => Placed['position']): Placed[] =>
    Array.from({ length }, (_, place) => (place * 7919) % length).map((place) => ({
      id: id(place),
      position: position(place),
    }));

  test.each<[string, (place: number) => Placed['position']]>([
    ['siblings at one location', (place) => ({ key: `V-${(place % 97).toString(16).padStart(2, '0')}-V` })],
    ['siblings with a key each', (place) => ({ key: `V${place}1` })],
    ['a chain', (place) => ({ key: 'V', ...(place > 0 && { parent: id(place - 1) }) })],
    ['items without keys', (place) => ({ after: place === 0 ? '' : id(place - 1) })],
  ])('%s', async (_name, position) => {
    const sorting = await growthOf(5000, (size) => {
      const placed = items(size, position);
      return () =>
        new Map(placed.toSorted((a, b) => compareCodePoints(a.id, b.id)).map((item) => [item.id, item]));
    });
    const placing = await growthOf(5000, (size) => {
      const placed = items(size, position);
      return () => [placeItems(placed), arrange(placed)];
    });
    // Quadratic work takes sixteen times as long.
    expect(placing).toBeLessThan(2 * Math.max(4, sorting));
  });
});
