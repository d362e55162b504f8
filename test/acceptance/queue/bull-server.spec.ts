import type { PublishJob } from '#contracts';
import { collectionKey, UnavailableError } from '#core';
import { BullServer, HandlerError, MessageController, openJobQueue, UnrecoverableError } from '#queue';
import type { BullQueue, BullServerOptions } from '#queue';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller } from '@nestjs/common';
import type { INestMicroservice, Type } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { of } from 'rxjs';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';
import { mergeJob, publishJob } from './support/samples.ts';
import { startService } from './support/service.ts';
import { until } from '../../support/until.ts';

const notes = collectionKey('notes');

const redis = new Redis(redisUrl(), { maxRetriesPerRequest: null });
const quick = { backoffFirst: 1, backoffMost: 10 };
let prefix: string;
let queue: BullQueue;
let services: INestMicroservice[];

beforeEach(() => {
  prefix = ownName();
  queue = openJobQueue({ redisUrl: redisUrl(), prefix });
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  await queue.close();
  await removeKeys(redis, prefix);
});
afterAll(() => redis.disconnect());

function createServer(options: Partial<BullServerOptions> = {}): BullServer {
  return new BullServer({
    redisUrl: redisUrl(),
    prefix,
    queues: { publish: { concurrency: 1 } },
    settings: quick,
    ...options,
  });
}

async function serve(controller: Type, options: Partial<BullServerOptions> = {}): Promise<INestMicroservice> {
  const service = await startService(controller, createServer(options));
  services.push(service);
  return service;
}

/** A controller for the queue `publish` with the given handler. */
function publishController(work: (data: PublishJob) => unknown): Type {
  @MessageController()
  class PublishController {
    @EventPattern('publish')
    publish(@Payload() data: PublishJob): unknown {
      return work(data);
    }
  }
  return PublishController;
}

async function failedReasons(name: string): Promise<(string | undefined)[]> {
  const bull = new Queue(name, { connection: redis, prefix });
  const failed = await bull.getFailed();
  await bull.close();
  return failed.map((job) => job.failedReason);
}

describe('the work on jobs', () => {
  test('calls the handlers of several queues with the data of their jobs', async () => {
    const calls: unknown[] = [];
    @MessageController()
    class TwoQueues {
      @MessagePattern('merge')
      merge(@Payload() data: unknown): void {
        calls.push(data);
      }
      @EventPattern('publish')
      publish(@Payload() data: unknown): unknown {
        calls.push(data);
        return of('answers are dropped');
      }
    }
    await serve(TwoQueues, { queues: { merge: { concurrency: 2 }, publish: { concurrency: 1 } } });
    await queue.send([mergeJob(3)]);
    await until(() => calls.length === 1);
    await queue.send([publishJob(notes)]);
    await until(() => calls.length === 2);
    expect(calls).toEqual([mergeJob(3).data, publishJob(notes).data]);
  });

  test('takes over the job of a dead worker, and then the request that came meanwhile', async () => {
    const request = { ...publishJob(notes), deduplicate: notes };
    await queue.send([request]);
    const dead = new Worker('publish', null, {
      connection: redis,
      prefix,
      autorun: false,
      lockDuration: 500,
    });
    expect(await dead.getNextJob('dead')).toBeDefined();
    await queue.send([request, request]);
    let calls = 0;
    const settings = { ...quick, lockDuration: 20_000, stalledInterval: 100 };
    await serve(
      publishController(() => void (calls += 1)),
      { settings },
    );
    await until(() => calls === 2);
    await until(async () => (await redis.keys(`${prefix}:publish:de:*`)).length === 0);
    expect(calls).toBe(2);
    await dead.close(true);
  });

  test('does a job again whose end Redis has lost, long before its lock ends', async () => {
    await queue.send([{ ...publishJob(notes), deduplicate: notes }]);
    const lost = new Worker('publish', null, { connection: redis, prefix, autorun: false });
    const job = await lost.getNextJob('lost');
    let calls = 0;
    const settings = { ...quick, lockDuration: 3_600_000, stalledInterval: 100 };
    const service = await serve(
      publishController(() => void (calls += 1)),
      { settings },
    );
    const workers = service.unwrap<ReadonlyMap<string, readonly Worker[]>>();
    const holder = `${workers.get('publish')?.[0]?.id}:1`;
    await redis.set(`${prefix}:publish:${job?.id}:lock`, holder, 'PX', 3_600_000);
    await until(() => calls === 1);
    await lost.close(true);
  });

  test('leaves a job alone that runs for longer than the searches for lost ones', async () => {
    let calls = 0;
    let end = (): void => {};
    const running = new Promise<void>((resolve) => (end = resolve));
    await serve(
      publishController(() => {
        calls += 1;
        return running;
      }),
      { settings: { ...quick, lockDuration: 3_600_000, stalledInterval: 100 } },
    );
    await queue.send([publishJob(notes)]);
    await until(() => calls === 1);
    const searches = async (): Promise<number> => {
      const [, mget = 0] = /cmdstat_mget:calls=(\d+)/.exec(await redis.info('commandstats')) ?? [];
      return Number(mget);
    };
    const before = await searches();
    await until(async () => (await searches()) > before + 5);
    end();
    await until(async () => (await redis.llen(`${prefix}:publish:active`)) === 0);
    expect(calls).toBe(1);
  });

  test('leaves nothing of a completed job in Redis', async () => {
    await serve(publishController(() => {}));
    await queue.send([publishJob(notes), publishJob(collectionKey('tasks'))]);
    await until(
      async () =>
        (await redis.llen(`${prefix}:publish:wait`)) + (await redis.llen(`${prefix}:publish:active`)) === 0,
    );
    expect(await redis.keys(`${prefix}:publish:[0-9]*`)).toEqual([]);
    expect(await redis.zcard(`${prefix}:publish:completed`)).toBe(0);
  });

  test('keeps waiting jobs in the list that autoscalers look at', async () => {
    await queue.send([mergeJob(0), mergeJob(1)]);
    expect(await redis.llen(`${prefix}:merge:wait`)).toBe(2);
    expect(await redis.type(`${prefix}:merge:wait`)).toBe('list');
  });

  test('tries a job again after its handler threw, however few attempts its sender requested', async () => {
    let attempts = 0;
    const bull = new Queue('publish', { connection: redis, prefix });
    await bull.add('publish', publishJob(notes).data, { attempts: 1 });
    await bull.close();
    await serve(
      publishController(() => {
        attempts += 1;
        if (attempts < 4) throw new Error('MongoDB is away');
      }),
    );
    await until(() => attempts === 4);
    await until(async () => (await redis.llen(`${prefix}:publish:active`)) === 0);
    expect(await failedReasons('publish')).toEqual([]);
  });

  test('uses up no attempt of a job while the store is away', async () => {
    let attempts = 0;
    const away = publishController(() => {
      attempts += 1;
      if (attempts < 6) throw new UnavailableError('MongoDB', 'it is being restarted', 'none');
    });
    await serve(away, { settings: { ...quick, outageBackoff: 10, attempts: 2 } });
    await queue.send([publishJob(notes)]);
    await until(() => attempts === 6);
    await until(async () => (await redis.keys(`${prefix}:publish:[0-9]*`)).length === 0);
    expect(await failedReasons('publish')).toEqual([]);
  });

  test('gives a job up after the configured attempts, with the error of the handler', async () => {
    let attempts = 0;
    const failing = publishController(() => {
      attempts += 1;
      return Promise.reject(new Error(`failure ${attempts}`));
    });
    await serve(failing, { settings: { ...quick, attempts: 3 } });
    await queue.send([publishJob(notes)]);
    await until(async () => (await failedReasons('publish')).length === 1);
    expect(await failedReasons('publish')).toEqual(['failure 3']);
    expect(attempts).toBe(3);
  });

  test('does not try again what the handler calls unrecoverable', async () => {
    let attempts = 0;
    await serve(
      publishController(() => {
        attempts += 1;
        throw new UnrecoverableError('no such collection');
      }),
    );
    await queue.send([publishJob(notes)]);
    await until(async () => (await failedReasons('publish')).length === 1);
    expect(await failedReasons('publish')).toEqual(['no such collection']);
    expect(attempts).toBe(1);
  });

  test('refuses data that breaks the schema of its queue, with the rule, before the handler', async () => {
    const published: string[] = [];
    await serve(publishController(({ collection }) => published.push(collection)));
    const bull = new Queue('publish', { connection: redis, prefix });
    await bull.add('publish', { version: 1, collection: 'No Name' });
    await bull.close();
    await queue.send([publishJob(notes)]);
    await until(() => published.length === 1);
    await until(async () => (await failedReasons('publish')).length === 1);
    expect(await failedReasons('publish')).toEqual([
      expect.stringContaining('collection: a collection name is 1 to 63'),
    ]);
    expect(published).toEqual(['notes']);
  });

  test('keeps no more failed jobs than configured', async () => {
    let attempts = 0;
    const failing = publishController(() => {
      attempts += 1;
      throw new UnrecoverableError('always');
    });
    await serve(failing, { settings: { ...quick, keepFailed: 2 } });
    await queue.send(['a', 'b', 'c', 'd', 'e'].map((name) => publishJob(collectionKey(name))));
    await until(async () => attempts === 5 && (await redis.llen(`${prefix}:publish:active`)) === 0);
    expect(await failedReasons('publish')).toHaveLength(2);
  });

  test('says how to see an error that Nest has hidden', async () => {
    @Controller()
    class PlainController {
      @EventPattern('publish')
      publish(@Payload() _data: unknown): void {
        throw new Error('hidden');
      }
    }
    await serve(PlainController, { settings: { ...quick, attempts: 1 } });
    await queue.send([publishJob(notes)]);
    await until(async () => (await failedReasons('publish')).length === 1);
    expect(await failedReasons('publish')).toEqual([expect.stringContaining('@MessageController()')]);
  });
});

describe('the end of a server', () => {
  test('lets the running job finish and takes no other', async () => {
    const log: string[] = [];
    let finish = (): void => {};
    const service = await serve(
      publishController(async ({ collection }) => {
        log.push(`begin ${collection}`);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        log.push(`end ${collection}`);
      }),
    );
    await queue.send([publishJob(collectionKey('first')), publishJob(collectionKey('second'))]);
    await until(() => log.length === 1);
    const closing = service.close().then(() => log.push('closed'));
    finish();
    await closing;
    expect(log).toEqual(['begin first', 'end first', 'closed']);
    expect(await queue.backlog('publish')).toBe(1);
    expect(await failedReasons('publish')).toEqual([]);
  });

  test('is not held up for ever by a job that does not end', async () => {
    let begun = false;
    const endless = publishController(() => {
      begun = true;
      return new Promise(() => {});
    });
    const service = await serve(endless, { settings: { ...quick, closeTimeout: 100 } });
    await queue.send([publishJob(notes)]);
    await until(() => begun);
    await service.close();
    expect(await redis.llen(`${prefix}:publish:active`)).toBe(1);
  });
});

test('a worker that takes nothing while jobs wait is replaced', async () => {
  const published: string[] = [];
  const server = createServer({ settings: { ...quick, stuckAfter: 200 } });
  services.push(
    await startService(
      publishController(({ collection }) => published.push(collection)),
      server,
    ),
  );
  const stuck = server.unwrap<Map<string, Worker[]>>().get('publish')?.[0];
  await stuck?.pause();
  await queue.send([publishJob(notes)]);
  await until(() => published.length === 1);
  expect(server.unwrap<Map<string, Worker[]>>().get('publish')?.[0]).not.toBe(stuck);
});

describe('the start of a server', () => {
  test('fails if a queue has no handler', async () => {
    const start = serve(
      publishController(() => {}),
      { queues: { publish: { concurrency: 1 }, finalize: { concurrency: 1 } } },
    );
    await expect(start).rejects.toThrow(new HandlerError('no handler for "finalize"'));
  });

  test('fails if a handler has no queue', async () => {
    const start = serve(
      publishController(() => {}),
      { queues: {} },
    );
    await expect(start).rejects.toThrow('a handler for "publish", which is no job of the queues');
  });

  test('fails if a job has two handlers', async () => {
    @MessageController()
    class TwiceController {
      @MessagePattern('publish')
      publish(@Payload() _data: unknown): void {}
      @MessagePattern('publish')
      publishToo(@Payload() _data: unknown): void {}
    }
    await expect(serve(TwiceController)).rejects.toThrow('more than one handler for "publish"');
  });

  test('fails if a command has no handler', async () => {
    @MessageController()
    class HalfController {
      @EventPattern('commands.subscribe')
      subscribe(@Payload() _data: unknown): void {}
      @EventPattern('commands.refresh')
      refresh(@Payload() _data: unknown): void {}
    }
    const start = serve(HalfController, { queues: { commands: { concurrency: 1 } } });
    await expect(start).rejects.toThrow(
      'no handler for "commands.unsubscribe"; no handler for "commands.edit"',
    );
  });
});
