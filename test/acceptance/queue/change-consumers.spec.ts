import { ChangeEventServer, consumeChanges, MessageController, UnrecoverableError } from '#client';
import type { ChangeEvent, ChangeEventServerOptions } from '#client';
import { openEventStream } from '#queue';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestMicroservice, Type } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { Redis } from 'ioredis';
import { collectionKey } from '#core';
import { ownName, redisUrl, removeKeys } from './support/redis.ts';
import { change } from './support/samples.ts';
import { startService } from './support/service.ts';
import { until } from '../../support/until.ts';

const notes = collectionKey('notes');

const redis = new Redis(redisUrl());
let name: string;
let key: string;
let stream: ReturnType<typeof openEventStream>;
let stop: AbortController;

beforeEach(() => {
  name = ownName();
  key = `${name}:0`;
  stream = openEventStream({ redisUrl: redisUrl(), stream: name });
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await stream.close();
  await removeKeys(redis, name);
});
afterAll(() => redis.disconnect());

function consume(
  consumer: string,
  options: { from?: 'oldest' | 'newest'; takeOverAfter?: number; batch?: number } = {},
): AsyncGenerator<ChangeEvent> {
  return consumeChanges({
    redisUrl: redisUrl(),
    stream: name,
    group: 'team',
    consumer,
    signal: stop.signal,
    ...options,
  });
}

/** How many entries were delivered to the group and not acknowledged. */
async function unacknowledged(): Promise<number> {
  const [count] = (await redis.xpending(key, 'team')) as [number];
  return count;
}

async function take(count: number, changes: AsyncGenerator<ChangeEvent>): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const next = await changes.next();
    if (next.done) throw new Error(`the changes ended after ${ids.join(', ')}`);
    ids.push(next.value.id);
  }
  return ids;
}

describe('the iterator of changes', () => {
  test('gives whole events in order, over the borders of batches', async () => {
    const events = Array.from({ length: 25 }, (_, index) => change('notes', index + 1));
    await stream.append(notes, events);
    const received: ChangeEvent[] = [];
    for await (const event of consume('one', { batch: 10 })) {
      received.push(event);
      if (received.length === events.length) break;
    }
    expect(received).toEqual(events);
  });

  test('acknowledges an event when the next one is requested', async () => {
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    const changes = consume('one', { batch: 1 });
    await take(1, changes);
    expect(await unacknowledged()).toBe(1);
    expect(await redis.xpending(key, 'team', '-', '+', 10)).toHaveLength(1);
    const [first] = (await redis.xpending(key, 'team', '-', '+', 10)) as [[string]];
    await take(1, changes);
    const [second] = (await redis.xpending(key, 'team', '-', '+', 10)) as [[string]];
    expect(second[0]).not.toBe(first[0]);
    expect(await unacknowledged()).toBe(1);
    await changes.return(undefined);
  });

  test('acknowledges the last event if the signal aborted while it was handled', async () => {
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    const received: string[] = [];
    for await (const { id } of consume('one', { batch: 1 })) {
      received.push(id);
      stop.abort();
    }
    expect(received).toEqual(['notes:1']);
    expect(await unacknowledged()).toBe(0);
  });

  test('gives an event again whose handling was left', async () => {
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    for await (const event of consume('one')) {
      expect(event.id).toBe('notes:1');
      break;
    }
    const changes = consume('one');
    expect(await take(2, changes)).toEqual(['notes:1', 'notes:2']);
    await changes.return(undefined);
  });

  test('skips repeated events of a collection, and entries that are not change events', async () => {
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    await stream.append(collectionKey('tasks'), [change('tasks', 1)]);
    await redis.xadd(key, '*', 'event', JSON.stringify(change('notes', 1)));
    await redis.xadd(key, '*', 'event', '{"not": "an event"}');
    await redis.xadd(key, '*', 'other', JSON.stringify(change('notes', 3)));
    await redis.xadd(key, '*', 'event', JSON.stringify(change('notes', 2)));
    await stream.append(notes, [change('notes', 3)]);
    const changes = consume('one');
    expect(await take(4, changes)).toEqual(['notes:1', 'notes:2', 'tasks:1', 'notes:3']);
    expect(await unacknowledged()).toBe(1);
    await changes.return(undefined);
  });

  test('hands on what a later version of an event says more', async () => {
    await redis.xadd(key, '*', 'event', JSON.stringify({ ...change('notes', 1), tracestate: 'a=1' }));
    const changes = consume('one');
    const { value } = await changes.next();
    expect(value).toMatchObject({ id: 'notes:1', tracestate: 'a=1' });
    await changes.return(undefined);
  });

  test('begins a new group with what comes next, where it is asked to', async () => {
    await stream.append(notes, [change('notes', 1)]);
    const changes = consume('one', { from: 'newest' });
    const first = take(1, changes);
    await until(async () => ((await redis.xinfo('GROUPS', key)) as unknown[]).length === 1);
    await stream.append(notes, [change('notes', 2)]);
    expect(await first).toEqual(['notes:2']);
    await changes.return(undefined);
  });

  test('takes over the unacknowledged entries of a dead consumer before anything new', async () => {
    await stream.append(notes, [change('notes', 1), change('notes', 2), change('notes', 3)]);
    await redis.xgroup('CREATE', key, 'team', '0');
    await redis.xreadgroup('GROUP', 'team', 'dead', 'COUNT', 2, 'STREAMS', key, '>');
    const changes = consume('alive');
    expect(await take(3, changes)).toEqual(['notes:1', 'notes:2', 'notes:3']);
    await changes.return(undefined);
  });

  test('lets one consumer of a group read at a time; when it ends, the next continues there', async () => {
    await stream.append(notes, [change('notes', 1), change('notes', 2), change('notes', 3)]);
    const first = consume('first', { takeOverAfter: 300 });
    await take(1, first);
    const standby = consume('second', { takeOverAfter: 300 });
    const later = take(2, standby);
    expect(await take(1, first)).toEqual(['notes:2']);
    await first.return(undefined);
    expect(await later).toEqual(['notes:2', 'notes:3']);
    await standby.return(undefined);
  });

  test('takes over from a consumer that gives no sign of life', async () => {
    await stream.append(notes, [change('notes', 1)]);
    await redis.set(`{${key}}:reader:team`, 'dead', 'PX', 300);
    const changes = consume('alive', { takeOverAfter: 300 });
    expect(await take(1, changes)).toEqual(['notes:1']);
    expect(await redis.get(`{${key}}:reader:team`)).toBe('alive');
    await changes.return(undefined);
  });

  test('takes over the entries that Redis hands to a consumer which has lost its lock', async () => {
    await stream.append(notes, [change('notes', 1)]);
    const changes = consume('one');
    await take(1, changes);
    const stalled = async (sequence: number): Promise<void> => {
      await stream.append(notes, [change('notes', sequence)]);
      await redis.xreadgroup('GROUP', 'team', 'stalled', 'STREAMS', key, '>');
    };
    await stalled(2);
    await stream.append(notes, [change('notes', 3)]);
    expect(await take(2, changes)).toEqual(['notes:2', 'notes:3']);
    await stalled(4);
    expect(await take(1, changes)).toEqual(['notes:4']);
    await changes.return(undefined);
  });

  test('gives the events to every group', async () => {
    await stream.append(notes, [change('notes', 1)]);
    for (const group of ['team', 'other']) {
      const changes = consumeChanges({ redisUrl: redisUrl(), stream: name, group, consumer: 'one' });
      expect(await take(1, changes)).toEqual(['notes:1']);
      await changes.return(undefined);
    }
  });
});

describe('the Nest transport of changes', () => {
  let services: INestMicroservice[] = [];
  afterEach(async () => {
    await Promise.all(services.map((service) => service.close()));
    services = [];
  });

  async function serve(
    controller: Type,
    options: Partial<ChangeEventServerOptions> = {},
  ): Promise<INestMicroservice> {
    const service = await startService(
      controller,
      new ChangeEventServer({
        redisUrl: redisUrl(),
        stream: name,
        group: 'team',
        consumer: 'one',
        ...options,
      }),
    );
    services.push(service);
    return service;
  }

  test('calls the handlers of a type and of its prefixes, and acknowledges what has no handler', async () => {
    const log: string[] = [];
    @MessageController()
    class ChangeController {
      @EventPattern('feedmesh.item.updated.v1')
      updated(@Payload() event: ChangeEvent): void {
        log.push(`updated ${event.id}`);
      }
      @EventPattern('feedmesh.item.*')
      item(@Payload() event: ChangeEvent): void {
        log.push(`item ${event.id}`);
      }
    }
    await serve(ChangeController);
    await stream.append(notes, [
      change('notes', 1),
      change('notes', 2, 'feedmesh.subscription.fetched.v1'),
      change('notes', 3, 'feedmesh.item.deleted.v1'),
    ]);
    await until(() => log.length === 3);
    await until(async () => (await unacknowledged()) === 0);
    expect(log.toSorted()).toEqual(['item notes:1', 'item notes:3', 'updated notes:1']);
  });

  test('calls a handler that threw again, before any later event', async () => {
    const log: string[] = [];
    @MessageController()
    class ChangeController {
      @EventPattern('feedmesh.item.updated.v1')
      updated(@Payload() event: ChangeEvent): void {
        log.push(event.id);
        if (log.length < 3) throw new Error('not yet');
      }
    }
    await serve(ChangeController, { retryAfterMost: 1 });
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    await until(() => log.length === 4);
    expect(log).toEqual(['notes:1', 'notes:1', 'notes:1', 'notes:2']);
  });

  test('skips an event that its handler gives up', async () => {
    const log: string[] = [];
    @MessageController()
    class ChangeController {
      @EventPattern('feedmesh.item.updated.v1')
      updated(@Payload() event: ChangeEvent): void {
        log.push(event.id);
        if (event.id === 'notes:1') throw new UnrecoverableError('never');
      }
    }
    await serve(ChangeController);
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    await until(() => log.length === 2);
    expect(log).toEqual(['notes:1', 'notes:2']);
  });

  test('lets the running handler finish at its end, acknowledges its event, leaves the rest', async () => {
    const log: string[] = [];
    let finish = (): void => {};
    @MessageController()
    class ChangeController {
      @EventPattern('feedmesh.item.updated.v1')
      async updated(@Payload() event: ChangeEvent): Promise<void> {
        log.push(`begin ${event.id}`);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        log.push(`end ${event.id}`);
      }
    }
    const service = await serve(ChangeController, { batch: 1 });
    await stream.append(notes, [change('notes', 1), change('notes', 2)]);
    await until(() => log.length === 1);
    const closing = service.close();
    finish();
    await closing;
    expect(log).toEqual(['begin notes:1', 'end notes:1']);
    const [first] = await redis.xrange(key, '-', '+', 'COUNT', 1);
    const left = (await redis.xpending(key, 'team', '-', '+', 10)) as [string][];
    expect(left.map(([id]) => id)).not.toContain(first?.[0]);
  });

  test('leaves an event that its handler has not completed in time to be delivered again', async () => {
    let calls = 0;
    @MessageController()
    class ChangeController {
      @EventPattern('feedmesh.item.updated.v1')
      updated(@Payload() _event: ChangeEvent): void {
        calls += 1;
        throw new Error('not before the end');
      }
    }
    const service = await serve(ChangeController);
    await stream.append(notes, [change('notes', 1)]);
    await until(() => calls > 0);
    await service.close();
    expect(await unacknowledged()).toBe(1);
  });
});
