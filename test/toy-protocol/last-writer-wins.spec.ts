import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { payloadFromFields } from '#xml';
import { createMemoryHttp } from '#in-memory';
import { editItem } from '#items';
import { protocols } from '#protocols';
import type { FeedSyncContent } from '#feedsync';
import { itemId } from '#core';
import { Dice } from '../simulation/dice.ts';
import type { Kind } from '../simulation/kind.ts';
import { runUntilQuiet } from '../simulation/run-until-quiet.ts';
import { SimulatedEndpoint } from '../simulation/simulated-endpoint.ts';
import type { ServedFeed } from '../simulation/surroundings.ts';
import { lastWriterWins } from './last-writer-wins.ts';

const kind: Kind = {
  protocol: 'last-writer-wins',
  format: 'rss',
  mediaType: 'application/rss+xml',
  ids: ['a', 'b', 'c'],
  settings: () => ({}),
  edit(ports, collection, id, label, dice) {
    const payload = payloadFromFields('rss', { title: `${id} by ${label} ${dice.below(1000)}` });
    const edits = [
      { action: 'create', id: itemId(id), payload },
      { action: 'update', payload },
      { action: 'delete' },
      { action: 'undelete', payload },
    ] as const;
    return editItem(ports, collection, itemId(id), dice.pick(edits));
  },
  essence({ content }) {
    const { sync, data } = content as FeedSyncContent;
    return { sync, data: data.children.map(({ xml }) => xml) };
  },
};

// A new protocol is its own files and one line in the registry.
beforeAll(() => {
  protocols.set(kind.protocol, lastWriterWins);
});
afterAll(() => {
  protocols.delete(kind.protocol);
});

function world(seed: number) {
  const dice = new Dice(seed);
  let time = Date.parse('2026-01-01T00:00:00Z');
  const clock = { now: () => new Date(time), wait: async (ms: number) => void (time += ms) };
  const weather = { lose: 0, repeat: 0, die: 0, interrupt: 0 };
  const served: ServedFeed[] = [];
  const surroundings = {
    clock,
    dice,
    http: createMemoryHttp(),
    weather,
    kind,
    watch: (feed: ServedFeed) => void served.push(feed),
  };
  const endpoints = ['a', 'b', 'c'].map((label) => new SimulatedEndpoint(label, surroundings));
  return { endpoints, dice, weather, served, pass: () => void (time += 61_000) };
}

async function open(endpoints: readonly SimulatedEndpoint[]): Promise<void> {
  for (const endpoint of endpoints) {
    await endpoint.open(1000);
    for (const other of endpoints) if (other !== endpoint) await endpoint.subscribe(other);
  }
}

test('an item of a protocol that no service knows goes from feed to event to feed', async () => {
  const { endpoints, served, pass } = world(1);
  const [here, there] = endpoints as [SimulatedEndpoint, SimulatedEndpoint];
  await open(endpoints);
  await here.perform('a', {
    action: 'create',
    id: itemId('a'),
    payload: payloadFromFields('rss', { title: 'Milk' }),
  });
  await runUntilQuiet(endpoints, pass);
  expect(await there.items()).toEqual([
    {
      sync: expect.objectContaining({ id: 'a', updates: 1, deleted: false }),
      data: [expect.stringContaining('Milk')],
    },
  ]);
  expect(there.events.events[0]).toMatchObject({ subject: 'a', data: { subscription: 'a', updates: 1 } });
  expect(served.findLast(({ label }) => label === 'b')?.body).toMatch(
    /<item><title>Milk<\/title>.*<w:version .* by="endpoint:a" deleted="false"\/><\/item>/s,
  );
});

test.each([1, 2, 3, 4, 5, 6])(
  'three endpoints that lose jobs and die end with equal items (seed %i)',
  async (seed) => {
    const { endpoints, dice, weather, pass } = world(seed);
    await open(endpoints);
    Object.assign(weather, { lose: 0.1, repeat: 0.1, die: 0.02, interrupt: 0.02 });
    for (let step = 0; step < 300; step += 1) {
      pass();
      const endpoint = dice.pick(endpoints);
      const what = dice.fraction();
      if (what < 0.15) await endpoint.edit(dice.pick(kind.ids));
      else if (what < 0.3) await endpoint.reconcile();
      else await endpoint.deliver();
    }
    Object.assign(weather, { lose: 0, repeat: 0, die: 0, interrupt: 0 });
    await runUntilQuiet(endpoints, pass);
    const [expected, ...others] = await Promise.all(endpoints.map((endpoint) => endpoint.items()));
    expect(expected).not.toHaveLength(0);
    for (const other of others) expect(other).toEqual(expected);
  },
);
