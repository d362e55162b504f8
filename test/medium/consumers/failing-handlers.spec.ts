import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { INestMicroservice, Type } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import {
  ChangeEventServer,
  ChangeGapError,
  listDeadEvents,
  MessageController,
  retryDeadEvents,
  UnrecoverableError,
} from '#client';
import type { ChangeEvent, ChangeEventServerOptions } from '#client';
import { collectionKey } from '#core';
import { startService } from '../../acceptance/queue/support/service.ts';
import { until } from '../../support/until.ts';
import { ids, PublishedChanges } from './published-changes.ts';

let changes: PublishedChanges;
let services: INestMicroservice[] = [];
let lines: string[];
/** What the handler was called with, and what it has finished. */
let called: string[];
let finished: string[];
let fail: (event: ChangeEvent) => unknown;

beforeEach(async () => {
  changes = await PublishedChanges.start();
  await changes.create('notes', 'tasks');
  [lines, called, finished] = [[], [], []];
  fail = () => {};
  for (const level of ['warn', 'error'] as const)
    jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => void lines.push(String(line)));
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  services = [];
  jest.restoreAllMocks();
  await changes.close();
});

@MessageController()
class ChangeController {
  @EventPattern('feedmesh.item.*')
  async changed(@Payload() event: ChangeEvent): Promise<void> {
    const id = event.id.replace(/:0+/, ':');
    called.push(id);
    await fail(event);
    finished.push(id);
  }
}

async function serve(
  options: Partial<ChangeEventServerOptions> = {},
  controller: Type = ChangeController,
): Promise<ChangeEventServer> {
  const { redisUrl, url } = changes.gateway;
  const server = new ChangeEventServer({ redisUrl, url, group: 'team', consumer: 'one', ...options });
  services.push(await startService(controller, server));
  return server;
}

const group = (): { redisUrl: string; group: string } => ({
  redisUrl: changes.gateway.redisUrl,
  group: 'team',
});

/** What is finished of a collection. */
function finishedOf(name: string): string[] {
  return finished.filter((id) => id.startsWith(`${name}:`));
}

function throwFor(subject: string): (event: ChangeEvent) => void {
  return (event) => {
    if (event.subject === subject) throw new Error(`no ${subject} at ${Math.random()}`);
  };
}

describe('a handler that fails', () => {
  test('holds up its collection alone, in order, until its event is a dead event', async () => {
    fail = throwFor('2');
    await changes.publish('notes', 4);
    await changes.create('more');
    await changes.publish('more', 1);
    await serve({ retryAfterMost: 100 });
    await until(() => finishedOf('more').length === 1);
    expect(finishedOf('notes')).toEqual(['notes:1']);
    await until(() => finishedOf('notes').length === 3);
    expect(finishedOf('notes')).toEqual(['notes:1', 'notes:3', 'notes:4']);
    expect(called.filter((id) => id === 'notes:2')).toHaveLength(10);
    const [dead, ...others] = await listDeadEvents(group());
    expect(others).toEqual([]);
    expect(dead).toMatchObject({
      event: { subject: '2', sequence: '0000000000000002' },
      error: expect.stringContaining('no 2 at'),
      attempts: 10,
    });
    expect(Math.abs(Date.parse(dead?.at ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('is called as often as the consumer chooses, and once if it gives the event up', async () => {
    fail = ({ subject }) => {
      if (subject === '1') throw new Error('never');
      if (subject === '2') throw new UnrecoverableError('never');
    };
    await changes.publish('notes', 3);
    await serve({ attempts: 3, retryAfterMost: 1 });
    await until(() => finished.length === 1);
    expect(called).toEqual(['notes:1', 'notes:1', 'notes:1', 'notes:2', 'notes:3']);
    const dead = await listDeadEvents(group());
    expect(dead.map(({ attempts }) => attempts)).toEqual([3, 1]);
  });

  test('holds up its item alone, if the consumer chooses that order', async () => {
    const subject = (sequence: number): string => (sequence % 2 === 0 ? 'even' : 'odd');
    let broken = true;
    fail = (event) => {
      if (broken && event.subject === 'even') throw new Error('not yet');
    };
    await changes.publish('notes', 8, { subject });
    const server = await serve({ order: 'item', attempts: 1_000, retryAfterMost: 20 });
    await until(() => finished.length === 4);
    expect(finished).toEqual(['notes:1', 'notes:3', 'notes:5', 'notes:7']);
    await server.close();
    broken = false;
    services = [];
    await serve({ order: 'item', consumer: 'two', takeOverAfter: 300 });
    await until(() => finishedOf('notes').includes('notes:8'));
    const even = finished.filter((id) => Number(id.slice(6)) % 2 === 0);
    expect(even).toEqual(['notes:2', 'notes:4', 'notes:6', 'notes:8']);
  });

  test('holds up no other collection, however many events its own has', async () => {
    let broken = true;
    fail = ({ id }) => {
      if (broken && id.startsWith('notes:')) throw new Error('not yet');
    };
    await changes.publish('notes', 1_500);
    await changes.publish('tasks', 3);
    await serve({ attempts: 1_000, retryAfterMost: 20 });
    await until(() => finishedOf('tasks').length === 3);
    expect(finishedOf('notes')).toEqual([]);
    broken = false;
    await until(() => finishedOf('notes').length === 1_500);
    expect(finishedOf('notes')).toEqual(ids('notes', 1, 1_500));
  });

  test('that never returns holds up its collection alone', async () => {
    let release = (): void => {};
    fail = ({ id }) =>
      id.startsWith('notes:')
        ? new Promise<void>((resolve) => {
            release = resolve;
          })
        : undefined;
    await changes.publish('notes', 1);
    await changes.publish('tasks', 3);
    await serve();
    await until(() => finishedOf('tasks').length === 3);
    release();
    await until(() => finishedOf('notes').length === 1);
  });

  test('is logged once a minute, whatever it throws', async () => {
    fail = () => {
      throw new Error(`request ${Math.random()}`);
    };
    await changes.publish('notes', 3);
    await changes.publish('tasks', 3);
    await serve({ retryAfterMost: 1 });
    await until(async () => (await listDeadEvents(group())).length === 6);
    expect(called).toHaveLength(60);
    expect(lines.filter((line) => line.includes('attempt '))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('dead event'))).toHaveLength(1);
  });
});

test('events that wait for a handler are left to the consumer that takes over', async () => {
  const [first, second]: [string[], string[]] = [[], []];
  let release = (): void => {};
  @MessageController()
  class FirstController {
    @EventPattern('feedmesh.item.*')
    async changed(@Payload() { subject }: ChangeEvent): Promise<void> {
      first.push(subject);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    }
  }
  @MessageController()
  class SecondController {
    @EventPattern('feedmesh.item.*')
    changed(@Payload() { subject }: ChangeEvent): void {
      second.push(subject);
    }
  }
  await changes.publish('notes', 3);
  await serve({ takeOverAfter: 600 }, FirstController);
  await until(() => first.length === 1);
  const lock = `{${changes.key}}:reader:team`;
  await changes.redis.set(lock, 'two', 'PX', 2_000);
  // As long as its last renewal may count, the first consumer is right to go on.
  await until(async () => (await changes.redis.pttl(lock)) < 1_400);
  await serve({ consumer: 'two', takeOverAfter: 600 }, SecondController);
  await until(() => second.length === 3);
  release();
  await changes.publish('notes', 1);
  await until(() => second.length === 4);
  expect([first, second]).toEqual([['1'], ['1', '2', '3', '4']]);
});

describe('dead events', () => {
  test('are handled again when that is requested, and are gone once that succeeds', async () => {
    let broken = true;
    fail = ({ subject }) => {
      if (broken && subject !== '3') throw new Error('not yet');
    };
    await changes.publish('notes', 3);
    await serve({ attempts: 2, retryAfterMost: 1 });
    await until(async () => (await listDeadEvents(group())).length === 2);
    const [first] = await listDeadEvents(group());
    const calls = called.length;
    expect(await retryDeadEvents(group(), [first?.id ?? '', '0:1-1'])).toBe(1);
    await until(async () => {
      const dead = await listDeadEvents(group());
      return dead.length === 2 && !dead.some(({ id }) => id === first?.id);
    });
    expect(called.slice(calls)).toEqual(['notes:1', 'notes:1']);
    broken = false;
    expect(await retryDeadEvents(group())).toBe(2);
    await until(async () => (await listDeadEvents(group())).length === 0);
    expect(finished.toSorted()).toEqual(ids('notes', 1, 3));
  });

  test('stay when Redis is flushed while the consumer runs', async () => {
    fail = throwFor('1');
    await changes.publish('notes', 2);
    await serve({ attempts: 1 });
    await until(() => finished.length === 1);
    await changes.redis.flushdb();
    await changes.publish('notes', 1);
    await until(() => finished.length === 2);
    await until(async () => (await listDeadEvents(group())).length === 1);
    expect(finished).toEqual(['notes:2', 'notes:3']);
  });

  test('that there is no room for stay with their handler', async () => {
    fail = ({ id }) => {
      if (id === 'notes:0000000000000001') throw new Error('never');
    };
    const dead = `{${changes.key}}:dead:team`;
    for (let count = 0; count < 1_000; count += 1)
      await changes.redis.xadd(dead, '*', 'event', '{}', 'error', '', 'attempts', 1, 'at', '');
    await changes.publish('notes', 2);
    await changes.publish('tasks', 2);
    await serve({ attempts: 1 });
    await until(() => finishedOf('tasks').length === 2);
    await until(() => lines.some((line) => line.includes('too many dead events')));
    expect(finishedOf('notes')).toEqual([]);
    await changes.redis.xtrim(dead, 'MAXLEN', 0);
    await until(() => finishedOf('notes').length === 1);
    expect((await listDeadEvents(group())).map(({ event }) => event.subject)).toContain('1');
  });
});

test('a gap that can not be filled ends the server with an error for its listener', async () => {
  await changes.publish('notes', 2);
  const server = await serve();
  await until(() => finished.length === 2);
  const error = new Promise<Error>((resolve) => server.on('error', resolve));
  await changes.publish('notes', 1_200, { isRelayed: false });
  await changes.gateway.store.changes.prune(collectionKey('notes'), 1_000);
  await changes.publish('notes', 1);
  const raised = await error;
  expect(raised).toBeInstanceOf(ChangeGapError);
  expect(raised).toMatchObject({ collection: 'notes', from: '0000000000000003' });
});
