import { expect, test } from '@jest/globals';
import { createMemoryStore } from '#in-memory';
import { collectionKey } from '#core';
import type { GatewayPorts } from '../gateway-ports.ts';
import { eachLetter } from './each-letter.ts';

test('work on many letters ends after ten seconds, and goes on from there', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  const clock = { now: () => new Date(time), wait: () => Promise.resolve() };
  const store = createMemoryStore({ clock });
  const ids = ['a', 'b', 'c', 'd', 'e'].map((name) => `todo.${name}`);
  await store.deadLetters.add(
    ids.map((id) => ({
      id,
      collection: collectionKey('todo'),
      kind: 'item',
      violations: [],
      at: clock.now(),
    })),
  );
  const ports = {
    store,
    clock,
    reads: { run: (work: () => unknown) => work() },
    configuration: { GATEWAY_PAGE_ITEMS: 100, GATEWAY_PAGE_BYTES: 1_000_000 },
  } as unknown as GatewayPorts;
  const steps: string[][] = [];
  let cursor: string | undefined;
  do {
    const step: string[] = [];
    const { next } = await eachLetter(ports, { ...(cursor && { cursor }) }, async ({ id }) => {
      step.push(id);
      time += 6_000;
    });
    steps.push(step);
    cursor = next;
  } while (cursor !== undefined);
  expect(steps).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
});
