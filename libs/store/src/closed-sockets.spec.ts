import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import mongoose from 'mongoose';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { releaseClosedSockets } from './closed-sockets.ts';

const sockets = new Set<Socket>();
const collect = (message: unknown): void => void sockets.add((message as { readonly socket: Socket }).socket);
const created = channel('net.client.socket');

let client: mongoose.mongo.MongoClient;
let stop: () => void;

beforeEach(async () => {
  created.subscribe(collect);
  client = new mongoose.mongo.MongoClient(process.env['MONGODB_URI'] ?? '', { monitorCommands: true });
  await client.connect();
  stop = releaseClosedSockets(() => client);
});
afterEach(async () => {
  stop();
  created.unsubscribe(collect);
  sockets.clear();
  await client.close();
});

/** Closes all sockets after the driver has looked at the one that it writes to, and before it writes. */
function closeBeforeWrite(command: string): void {
  const began = ({ commandName }: { readonly commandName: string }): void => {
    if (commandName !== command) return;
    client.off('commandStarted', began);
    queueMicrotask(() => {
      for (const socket of sockets) socket.destroy();
    });
  };
  client.on('commandStarted', began);
}

test('an operation whose socket is closed just before it is written to is made once more', async () => {
  const rows = client.db('feedmesh-test-closed-sockets').collection('rows');
  await rows.deleteMany({});
  closeBeforeWrite('find');
  expect(await rows.find().toArray()).toEqual([]);
  closeBeforeWrite('update');
  const { upsertedCount } = await rows.updateOne({ name: 'a' }, { $set: { name: 'a' } }, { upsert: true });
  expect(upsertedCount).toBe(1);
  await rows.drop();
});

test('the driver wakes up every ten seconds to look at idle connections', async () => {
  interface Pool {
    readonly minPoolSizeTimer?: { readonly _idleTimeout: number };
  }
  const { topology } = client as unknown as {
    readonly topology: { readonly s: { readonly servers: ReadonlyMap<string, { readonly pool: Pool }> } };
  };
  const pools = [...topology.s.servers.values()].map(({ pool }) => pool);
  expect(pools).toHaveLength(1);
  await until(() => pools.every(({ minPoolSizeTimer }) => minPoolSizeTimer?._idleTimeout === 10_000));
});
