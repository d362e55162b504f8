import { FeedmeshClient, JobDataError } from '#client';
import type { Command } from '#contracts';
import { BullServer, MessageController, UnrecoverableError } from '#queue';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import type { INestMicroservice } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';
import { startService } from './support/service.ts';
import { until } from '../../support/until.ts';

const redis = new Redis(redisUrl(), { maxRetriesPerRequest: null });
let prefix: string;
let service: INestMicroservice;
let received: Command[];
let rejections: { name: string; data: unknown; reasons: readonly string[] }[];
let storeFails: number;

@MessageController()
class CommandController {
  @EventPattern('commands.subscribe')
  subscribe(@Payload() data: Extract<Command, { name: 'subscribe' }>['data']): void {
    received.push({ name: 'subscribe', data });
  }
  @EventPattern('commands.unsubscribe')
  unsubscribe(@Payload() data: Extract<Command, { name: 'unsubscribe' }>['data']): void {
    received.push({ name: 'unsubscribe', data });
  }
  @EventPattern('commands.refresh')
  refresh(@Payload() data: Extract<Command, { name: 'refresh' }>['data']): void {
    if (data.subscription === 'nowhere') throw new UnrecoverableError('no such subscription');
    received.push({ name: 'refresh', data });
  }
  @EventPattern('commands.edit')
  edit(@Payload() data: Extract<Command, { name: 'edit' }>['data']): void {
    received.push({ name: 'edit', data });
  }
}

beforeEach(async () => {
  prefix = ownName();
  received = [];
  rejections = [];
  storeFails = 0;
  const server = new BullServer({
    redisUrl: redisUrl(),
    prefix,
    queues: { commands: { concurrency: 1 } },
    settings: { backoffFirst: 1, backoffMost: 10 },
    rejected: async (name, data, reasons) => {
      storeFails -= 1;
      if (storeFails >= 0) throw new Error('MongoDB is away');
      rejections.push({ name, data, reasons });
    },
  });
  service = await startService(CommandController, server);
});
afterEach(async () => {
  await service.close();
  await removeKeys(redis, prefix);
});
afterAll(() => redis.disconnect());

async function addRaw(name: string, data: unknown): Promise<void> {
  const commands = new Queue('commands', { connection: redis, prefix });
  await commands.add(name, data);
  await commands.close();
}

test('the client sends each command to its handler', async () => {
  const client = new FeedmeshClient({ redisUrl: redisUrl(), prefix });
  const feed = { collection: 'notes', subscription: 'peer' };
  await client.subscribe({ ...feed, url: 'http://127.0.0.1/feed.atom' });
  await client.refresh(feed);
  await client.edit({ collection: 'notes', action: 'create', item: { title: 'Milk' } });
  await client.unsubscribe(feed);
  await until(() => received.length === 4);
  expect(received).toEqual([
    { name: 'subscribe', data: { ...feed, url: 'http://127.0.0.1/feed.atom' } },
    { name: 'refresh', data: feed },
    { name: 'edit', data: { collection: 'notes', action: 'create', item: { title: 'Milk' } } },
    { name: 'unsubscribe', data: feed },
  ]);
  await client.close();
});

test('the client refuses data that breaks the schema, with the place', async () => {
  const client = new FeedmeshClient({ redisUrl: redisUrl(), prefix });
  await expect(client.subscribe({ collection: 'notes', url: 'ftp://example.org/' })).rejects.toThrow(
    JobDataError,
  );
  await expect(client.refresh({ collection: 'Notes', subscription: 'peer' })).rejects.toThrow(
    'refresh: collection: a collection name is',
  );
  await client.close();
});

test('a command from elsewhere that breaks its schema is rejected with its reasons', async () => {
  await addRaw('subscribe', { collection: 'notes', url: 'no url' });
  await until(() => rejections.length === 1);
  expect(rejections).toEqual([
    {
      name: 'subscribe',
      data: { collection: 'notes', url: 'no url' },
      reasons: [expect.stringContaining('url: ')],
    },
  ]);
  expect(received).toEqual([]);
});

test.each(['reload', '__proto__', 'constructor'])(
  'a command with the unknown name %s is rejected',
  async (name) => {
    await addRaw(name, { collection: 'notes' });
    await until(() => rejections.length === 1);
    expect(rejections).toEqual([
      {
        name,
        data: { collection: 'notes' },
        reasons: [expect.stringContaining(`unknown command "${name}"`)],
      },
    ]);
  },
);

test('a command that its handler calls unrecoverable is rejected with its reason', async () => {
  await addRaw('refresh', { collection: 'notes', subscription: 'nowhere' });
  await until(() => rejections.length === 1);
  expect(rejections[0]?.reasons).toEqual(['no such subscription']);
});

test('a rejection that could not be recorded is tried again', async () => {
  storeFails = 2;
  await addRaw('reload', {});
  await until(() => rejections.length === 1);
  expect(storeFails).toBe(-1);
});
