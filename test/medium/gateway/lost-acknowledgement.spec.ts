import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collectionKey } from '#core';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { until } from '../../support/until.ts';
import { problemIn, startGateway } from './gateway-under-test.ts';
import type { GatewayUnderTest } from './gateway-under-test.ts';

const items = '/v1/collections/todo/items';

let proxy: CuttingProxy;
let gateway: GatewayUnderTest;
let publishing: NodeJS.Timeout;
beforeAll(async () => {
  const uri = new URL(process.env['MONGODB_URI'] ?? '');
  proxy = await CuttingProxy.open(Number(uri.port));
  uri.hostname = '127.0.0.1';
  uri.port = String(proxy.port);
  uri.searchParams.delete('replicaSet');
  uri.searchParams.set('directConnection', 'true');
  gateway = await startGateway({
    MONGODB_URI: uri.href,
    MONGODB_SELECTION_SECONDS: '3',
    GATEWAY_MONGODB_SECONDS: '60',
  });
  await until(async () => (await gateway.send('PUT', '/v1/collections/todo')).ok);
  // As publishers do: what a lost connection leaves locked is released.
  publishing = setInterval(() => void gateway.store.endStalledTransactions().catch(() => {}), 500);
});
afterAll(async () => {
  clearInterval(publishing);
  await gateway.close();
  await proxy.close();
});

/** Sends a request, while every connection breaks once a text has got to MongoDB, before its response. */
async function sendAndLose(text: string, ...request: Parameters<GatewayUnderTest['send']>): Promise<void> {
  const cut = proxy.cutAfter(text);
  const response = await gateway.send(...request);
  await cut;
  expect(await problemIn(response)).toMatchObject({ status: 503, rule: 'outcome-unknown' });
  proxy.mend();
  await until(async () => (await gateway.send('GET', '/v1/collections/todo')).status === 200);
  // It waits for the row of the collection, which the lost transaction may have locked.
  expect((await gateway.send('PUT', '/v1/collections/todo')).status).toBe(200);
}

test(
  'an edit that MongoDB has stored, and whose acknowledgement was lost, is made once however often it ' +
    'is sent',
  async () => {
    const creation = [
      'POST',
      items,
      { title: 'Created behind a broken line' },
      { 'idempotency-key': 'creation' },
    ] as const;
    // Before the transaction is committed, nothing is stored.
    await sendAndLose('Created behind a broken line', ...creation);
    expect(await gateway.store.items.list(collectionKey('todo'), { limit: 10 })).toHaveLength(0);
    await sendAndLose('commitTransaction', ...creation);
    expect(await gateway.store.items.list(collectionKey('todo'), { limit: 10 })).toHaveLength(1);
    const created = await gateway.send(...creation);
    expect(created.status).toBe(201);
    const { id, revision } = (await created.json()) as { id: string; revision: number };
    expect(revision).toBe(1);
    expect(await gateway.store.items.list(collectionKey('todo'), { limit: 10 })).toHaveLength(1);

    const change = [
      'PATCH',
      `${items}/${id}`,
      { content: 'Changed behind a broken line' },
      { 'idempotency-key': 'change' },
    ] as const;
    await sendAndLose('commitTransaction', ...change);
    expect(await (await gateway.send('GET', `${items}/${id}`)).json()).toMatchObject({
      content: 'Changed behind a broken line',
      revision: 2,
    });
    for (let time = 0; time < 2; time += 1)
      expect(await (await gateway.send(...change)).json()).toMatchObject({
        title: 'Created behind a broken line',
        revision: 2,
        sync: { updates: 2 },
      });
  },
);
