import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import mongoose from 'mongoose';
import { startService } from '#service';
import { openStore } from '#store';
import { doctor } from '../../../apps/cli/src/commands/doctor.ts';
import { restore } from '../../../apps/cli/src/commands/restore.ts';
import { gateway } from '../../../apps/gateway/src/gateway.ts';
import { memoryIo } from '../../cli/memory-io.ts';
import { Mongod } from '../../support/mongod.ts';
import { startSecuredMongod } from '../../support/secured-mongod.ts';
import type { SecuredMongod } from '../../support/secured-mongod.ts';
import { certificateFile } from '../../support/tls-proxy.ts';
import { until } from '../../support/until.ts';
import { entry, feed } from '../pipeline/feed.ts';
import { PipelineUnderTest } from '../pipeline/pipeline-under-test.ts';

const password = 's3cret/@';
const trusted = { MONGODB_TLS_CA: certificateFile('authority') };

const listIndexes = { resource: { db: 'feedmesh', collection: '' }, actions: ['listIndexes'] };

let mongodb: SecuredMongod;
beforeAll(async () => {
  mongodb = await startSecuredMongod(await documentedRole(), password);
});
afterAll(() => mongodb.end());
afterEach(() => {
  jest.restoreAllMocks();
});

/** The role that the page for operators has them create. */
async function documentedRole(): Promise<Record<string, unknown>> {
  const page = await readFile('docs/operations.md', 'utf8');
  const [, role = ''] = /createRole\((\{[^]*?\})\)/.exec(page) ?? [];
  return JSON.parse(role) as Record<string, unknown>;
}

test('all services, restore and doctor work with the documented role, over TLS', async () => {
  const settings = { MONGODB_URI: `${mongodb.uri(password)}?tls=true`, ...trusted };
  const pipeline = await PipelineUnderTest.open(settings);
  try {
    await pipeline.start('gateway', 'fetcher', 'merger', 'publisher');
    pipeline.feeds.serve('/notes', feed([entry('item', ['1 there'])]));
    await pipeline.subscribe('notes');
    await until(async () => (await pipeline.relayed('notes')).length > 0);
    for (const name of ['fetcher', 'merger', 'publisher', 'gateway'] as const) await pipeline.stop(name);
    const environment = { ...settings, REDIS_URL: pipeline.redisUrl };
    const io = memoryIo({ environment });
    expect([await restore({ output: 'text' }, io), io.err()]).toEqual([0, '']);
    const out = memoryIo({ environment });
    expect([await doctor({ repair: false, output: 'text' }, out), out.err()]).toEqual([0, '']);
    expect(out.out()).not.toContain('not examined');
    await mongodb.command({ revokePrivilegesFromRole: 'feedmesh', privileges: [listIndexes] });
    const less = memoryIo({ environment });
    expect(await doctor({ repair: false, output: 'text' }, less)).toBe(0);
    expect(less.out()).toContain(
      'not examined: indexes of items: the user in MONGODB_URI lacks the right listIndexes',
    );
  } finally {
    await mongodb.command({ grantPrivilegesToRole: 'feedmesh', privileges: [listIndexes] });
    await mongodb.command({ grantRolesToUser: 'feedmesh', roles: ['dbAdmin'] });
    await pipeline.close();
    await mongodb.command({ revokeRolesFromUser: 'feedmesh', roles: ['dbAdmin'] });
  }
});

test('a stalled transaction is ended with the documented role, and none of another program', async () => {
  const uri = mongodb.uri(password);
  const store = await openStore({ uri });
  const begin = async (appName: string) => {
    const client = await new mongoose.mongo.MongoClient(uri, { appName }).connect();
    const session = client.startSession();
    session.startTransaction();
    const read = () => client.db('feedmesh').collection('schema').findOne({}, { session });
    await read();
    return { client, session, read };
  };
  const [killed, kept] = [await begin('feedmesh'), await begin('other')];
  try {
    const stalled = [
      { $currentOp: { idleSessions: true } },
      { $match: { appName: 'feedmesh', transaction: { $exists: true } } },
    ];
    await until(async () => {
      await store.endStalledTransactions();
      return (await killed.client.db('admin').aggregate(stalled).toArray()).length === 0;
    });
    await expect(killed.read()).rejects.toThrow('has been aborted');
    await kept.read();
    await kept.session.commitTransaction();
  } finally {
    await Promise.all([killed.client.close(), kept.client.close(), store.close()]);
  }
});

describe('what MONGODB_URI or its files get wrong is named', () => {
  /** Waits until the health page of a gateway with these settings gives the reason. */
  async function expectReason(settings: Record<string, string>, reason: string): Promise<void> {
    const application = await startService(gateway, {
      REDIS_URL: process.env['REDIS_URL'],
      PORT: '0',
      LOG_LEVEL: 'silent',
      MONGODB_SELECTION_SECONDS: '1',
      ...settings,
    });
    try {
      const url = `${await application.getUrl()}/health/ready`;
      await until(
        async () => (await fetch(url)).text(),
        (text) => text.includes(reason),
      );
    } finally {
      await application.close();
    }
  }

  test.each([
    ['a wrong password', () => mongodb.uri('wrong'), {}, 'user or password in MONGODB_URI are wrong'],
    ['no user', () => `mongodb://${mongodb.server.host}/feedmesh`, {}, 'the user in MONGODB_URI may not do'],
    [
      'another replica set',
      () => `${mongodb.uri(password)}?replicaSet=other`,
      {},
      'no server of the replica set other was found (replicaSet in MONGODB_URI)',
    ],
    [
      'an unknown authority',
      () => `${mongodb.uri(password)}?tls=true`,
      {},
      'MONGODB_TLS_CA must name the authority of its certificate',
    ],
    [
      'a name that the certificate lacks',
      () => `${mongodb.uri(password, `localhost:${mongodb.server.port}`)}?tls=true`,
      trusted,
      'MONGODB_URI must name it as its certificate does',
    ],
  ])('%s', async (_mistake, uri, settings, reason) => {
    await expectReason({ MONGODB_URI: uri(), ...settings }, reason);
  });

  test('a server that is in no replica set, or in one that was not initiated', async () => {
    const alone = await Mongod.start([]);
    try {
      await expectReason({ MONGODB_URI: `mongodb://${alone.host}` }, 'not a member of a replica set');
    } finally {
      await alone.end();
    }
    const uninitiated = await Mongod.start(['--replSet', 'later']);
    try {
      await expectReason({ MONGODB_URI: `mongodb://${uninitiated.host}` }, 'rs.initiate()');
    } finally {
      await uninitiated.end();
    }
  });

  test('a name that no address is known of', async () => {
    jest
      .spyOn(dns.promises, 'resolve')
      .mockRejectedValue(new Error('querySrv ENOTFOUND _mongodb._tcp.db.feedmesh.test'));
    await expectReason(
      { MONGODB_URI: 'mongodb+srv://db.feedmesh.test/feedmesh' },
      'the name in MONGODB_URI (mongodb+srv) can',
    );
  });

  test('what can never be used ends the start', async () => {
    const starting = startService(gateway, {
      MONGODB_URI: 'mongodb://host/feedmesh?retries=many',
      LOG_LEVEL: 'silent',
    });
    await expect(starting).rejects.toThrow('MONGODB_URI option retries is not supported');
  });
});

test('an address of SRV records is followed, and its TXT record counts', async () => {
  const records: Readonly<Record<string, unknown[]>> = {
    SRV: [{ name: 'one.feedmesh.test', port: mongodb.server.port, priority: 0, weight: 0 }],
    TXT: [['authSource=feedmesh']],
  };
  const resolve = jest
    .spyOn(dns.promises, 'resolve')
    .mockImplementation(
      (async (_name: string, kind: string) => records[kind]) as typeof dns.promises.resolve,
    );
  const { lookup } = dns;
  jest
    .spyOn(dns, 'lookup')
    .mockImplementation(((name: string, ...more: unknown[]) =>
      Reflect.apply(lookup, dns, [
        name === 'one.feedmesh.test' ? '127.0.0.1' : name,
        ...more,
      ])) as typeof dns.lookup);
  const user = `feedmesh:${encodeURIComponent(password)}`;
  const store = await openStore({ uri: `mongodb+srv://${user}@db.feedmesh.test/?tls=false` });
  try {
    await store.ping();
    expect(resolve).toHaveBeenCalledWith('_mongodb._tcp.db.feedmesh.test', 'SRV');
  } finally {
    await store.close();
  }
});
