import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DeadLetterView, DiscardedLettersView, RetriedLettersView } from '#contracts';
import { collectionKey, subscriptionId } from '#core';
import type { DeadLetter } from '#core';
import { problemIn } from './gateway-under-test.ts';
import { useGateway } from './use-gateway.ts';

const key = collectionKey('letters');
const at = new Date('2026-01-01T00:00:00Z');
const violation = { section: 'FeedSync 2.4', message: 'no', severity: 'error' as const, line: 1, column: 1 };
const xml =
  '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:sx="http://feedsync.org/2007/feedsync">' +
  '<sx:sync id="bad" updates="0"><sx:history sequence="1" by="x"/></sx:sync></entry>';

/** A command that can be run by now. */
const good = (name: string): DeadLetter => ({
  id: `letters.${name}`,
  collection: key,
  kind: 'command',
  command: {
    name: 'subscribe',
    data: { collection: 'letters', subscription: name, url: `https://${name}.example/` },
  },
  violations: [{ ...violation, rule: 'command' }],
  at,
});
/** An item that is still not valid. */
const bad = (name: string): DeadLetter => ({
  id: `letters.${name}`,
  collection: key,
  subscription: subscriptionId('shop'),
  kind: 'item',
  fragment: { xml, line: 1, column: 1, id: 'bad' },
  violations: [{ ...violation, rule: 'sync-updates' }],
  at,
});

const gateway = useGateway();
beforeAll(async () => {
  for (const name of ['letters', 'others'])
    expect((await gateway.send('PUT', `/v1/collections/${name}`)).status).toBe(201);
});

beforeEach(async () => {
  for (const { id } of await gateway.store.deadLetters.list({ limit: 100 }))
    await gateway.store.deadLetters.remove(id);
});

async function post<View>(action: 'retry' | 'discard', query = ''): Promise<View> {
  const response = await gateway.send('POST', `/v1/dead-letters/${action}?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as View;
}

const left = async (): Promise<string[]> =>
  (await gateway.store.deadLetters.list({ limit: 100 })).map(({ id }) => id);

test('a dead letter is read by its id', async () => {
  await gateway.store.deadLetters.add([bad('one')]);
  const letter = (await (await gateway.send('GET', '/v1/dead-letters/letters.one')).json()) as DeadLetterView;
  expect(letter).toMatchObject({ id: 'letters.one', collection: 'letters', fragment: { xml } });
  const missing = await problemIn(await gateway.send('GET', '/v1/dead-letters/letters.none'));
  expect(missing).toMatchObject({ status: 404, rule: 'dead-letter-not-found' });
});

test('many are retried step by step; those that are refused again stay, with the reason', async () => {
  await gateway.store.deadLetters.add([good('a'), bad('b'), good('c'), good('d'), bad('e')]);
  const first = await post<RetriedLettersView>('retry', 'limit=2');
  expect(first).toMatchObject({
    retried: 1,
    refused: 1,
    refusals: [{ id: 'letters.b', rule: 'rejected-again', detail: 'The item was rejected again.' }],
  });
  const rest = await post<RetriedLettersView>('retry', `cursor=${first.next}`);
  expect(rest).toMatchObject({ retried: 2, refused: 1, refusals: [{ id: 'letters.e' }] });
  expect(rest).not.toHaveProperty('next');
  const ids = await left();
  expect(['a', 'b', 'c', 'd', 'e'].filter((name) => ids.includes(`letters.${name}`))).toEqual(['b', 'e']);
  for (const name of ['a', 'c', 'd'])
    expect(await gateway.store.subscriptions.find(key, subscriptionId(name))).toBeDefined();
});

test('many are discarded, as the filter says', async () => {
  const other = { ...bad('x'), id: 'others.x', collection: collectionKey('others') };
  await gateway.store.deadLetters.add([good('a'), bad('b'), bad('c'), other]);
  const discard = (query: string) => post<DiscardedLettersView>('discard', query);
  expect(await discard('collection=letters&rule=sync-updates')).toEqual({ discarded: 2 });
  expect(await left()).toEqual(['letters.a', 'others.x']);
  expect(await discard('limit=1')).toMatchObject({ discarded: 1, next: expect.any(String) });
  expect(await discard('')).toEqual({ discarded: 1 });
  expect(await discard('')).toEqual({ discarded: 0 });
});

test('a wrong filter is refused, and changes nothing', async () => {
  await gateway.store.deadLetters.add([good('a')]);
  for (const query of ['collection=UPPER', 'limit=0', 'cursor=%25', 'kind=item']) {
    const problem = await problemIn(await gateway.send('POST', `/v1/dead-letters/discard?${query}`));
    expect(problem.status).toBe(400);
  }
  expect(await left()).toEqual(['letters.a']);
});
