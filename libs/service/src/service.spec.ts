import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import type { DynamicModule, INestApplication, OnApplicationShutdown } from '@nestjs/common';
import { MessagePattern, Server } from '@nestjs/microservices';
import type { CustomTransportStrategy } from '@nestjs/microservices';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { serviceSettings } from './settings/service-settings.ts';
import type { HealthCheck } from './health/health-checks.ts';
import { HealthModule } from './health/health.module.ts';
import { runService, startService } from './service.ts';
import type { Service } from './service.ts';

const story: string[] = [];
const checks = new Map<string, HealthCheck>();
let application: INestApplication | undefined;

afterEach(async () => {
  await application?.close();
  application = undefined;
  story.length = 0;
  checks.clear();
});

/** Stands for a connection to a store or a queue. */
@Injectable()
class Connection implements OnApplicationShutdown {
  onApplicationShutdown(): void {
    story.push('connection closed');
  }
}

@Controller('work')
class WorkController {
  @Get()
  get(): string {
    return 'work';
  }

  @MessagePattern('merge')
  merge(data: unknown): unknown {
    return data;
  }
}

@Module({ providers: [Connection], exports: [Connection] })
class ConnectionModule {}

@Module({})
class WorkModule {
  static register(limit: number): DynamicModule {
    return {
      module: WorkModule,
      imports: [
        HealthModule.register({
          imports: [ConnectionModule],
          inject: [Connection],
          checks: (connection: Connection) => {
            story.push(`checks for ${connection.constructor.name} within ${limit}`);
            return Object.fromEntries(
              Array.from(checks.keys(), (name) => [name, () => checks.get(name)?.() ?? Promise.resolve()]),
            );
          },
          times: { limit: 0.1, reuse: 0 },
        }),
      ],
      controllers: [WorkController],
    };
  }
}

/**
 * A transport that reports its state; its work takes until the next turn of the event loop to finish.
 */
class Workers extends Server implements CustomTransportStrategy {
  readonly fault: Error | undefined;
  constructor(fault?: Error) {
    super();
    this.fault = fault;
  }
  listen(callback: (error?: Error) => void): void {
    story.push(`workers listen for ${Array.from(this.messageHandlers.keys()).join()}`);
    callback(this.fault);
  }
  async close(): Promise<void> {
    await new Promise(setImmediate);
    story.push('workers closed');
  }
  on(): void {}
  unwrap(): never {
    throw new Error('there is nothing in it');
  }
}

const settings = serviceSettings.extend({
  BATCH_LIMIT: z.string().transform(Number).default(5).describe('A setting of its own'),
});
const service: Service<typeof settings> = {
  name: 'worker',
  settings,
  module: (configuration) => WorkModule.register(configuration.BATCH_LIMIT),
  port: (configuration) => configuration.HEALTH_PORT,
  strategy: () => new Workers(),
};
const environment = { HEALTH_PORT: '0', LOG_LEVEL: 'silent' };

async function get(path: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${await application?.getUrl()}${path}`);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
}

describe('a service', () => {
  test('serves HTTP and messages with its own configuration', async () => {
    application = await startService(service, { ...environment, BATCH_LIMIT: '7' });
    expect(await application.getUrl()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await get('/work')).toEqual({ status: 200, body: 'work' });
    expect(story).toEqual(['checks for Connection within 7', 'workers listen for merge']);
  });

  test('prepares before anything listens', async () => {
    application = await startService(
      {
        ...service,
        prepare: (prepared) => {
          story.push('prepared');
          prepared.setGlobalPrefix('v1');
        },
      },
      environment,
    );
    expect(story.slice(1)).toEqual(['prepared', 'workers listen for merge']);
    expect(await get('/v1/work')).toEqual({ status: 200, body: 'work' });
  });

  test('ends its workers before the connections that they need', async () => {
    const started = await startService(service, environment);
    story.length = 0;
    await started.close();
    expect(story).toEqual(['workers closed', 'connection closed']);
  });

  test.each([
    [{}, 65],
    [{ KEEP_ALIVE_SECONDS: '7' }, 7],
  ])('keeps idle connections as long as %j says, and says so', async (keepAlive, seconds) => {
    application = await startService(service, { ...environment, ...keepAlive });
    const response = await fetch(`${await application.getUrl()}/work`);
    expect(await response.text()).toBe('work');
    expect(response.headers.get('keep-alive')).toBe(`timeout=${seconds}`);
    const { keepAliveTimeout, headersTimeout } = application.getHttpServer() as HttpServer;
    expect(keepAliveTimeout).toBe(seconds * 1000);
    expect(headersTimeout).toBeGreaterThan(keepAliveTimeout);
  });

  test('closes what it had opened if its transport does not start', async () => {
    await expect(
      startService({ ...service, strategy: () => new Workers(new Error('no Redis')) }, environment),
    ).rejects.toThrow('no Redis');
    expect(story.slice(-2)).toEqual(['workers closed', 'connection closed']);
  });
});

describe('health', () => {
  test('is live as long as the process responds, whatever the checks say', async () => {
    checks.set('redis', () => Promise.reject(new Error('ECONNREFUSED')));
    application = await startService(service, environment);
    expect(await get('/health/live')).toEqual({ status: 200, body: { status: 'up' } });
  });

  test('is ready while every check succeeds, and names those that fail', async () => {
    checks.set('redis', () => Promise.resolve()).set('mongodb', () => Promise.resolve());
    application = await startService(service, environment);
    expect(await get('/health/ready')).toEqual({
      status: 200,
      body: { status: 'up', checks: { redis: 'up', mongodb: 'up' } },
    });
    checks.set('mongodb', () => Promise.reject(new Error('ECONNREFUSED')));
    expect(await get('/health/ready')).toEqual({
      status: 503,
      body: { status: 'down', checks: { redis: 'up', mongodb: 'ECONNREFUSED' } },
    });
    checks.set('mongodb', () => Promise.resolve());
    expect(await get('/health/ready')).toMatchObject({ status: 200 });
  });

  test('does not wait for a check that hangs, nor start it again', async () => {
    let begun = 0;
    let answer = (): void => {};
    checks.set('redis', () => {
      begun += 1;
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    });
    application = await startService(service, environment);
    const hanging = { status: 503, body: { status: 'down', checks: { redis: 'no answer within 0.1 s' } } };
    expect([await get('/health/ready'), await get('/health/ready'), begun]).toEqual([hanging, hanging, 1]);
    answer();
    checks.set('redis', () => Promise.resolve());
    expect(await get('/health/ready')).toMatchObject({ status: 200 });
  });
});

describe('the main of a service', () => {
  async function run(env: Record<string, string>): Promise<{ text: string; codes: number[] }> {
    let text = '';
    const codes: number[] = [];
    const stderr = {
      write: (more: string) => {
        text += more;
      },
    };
    await runService(service, { env, stderr, exit: (code) => codes.push(code), on: () => undefined });
    return { text, codes };
  }

  test('ends with 1 and every wrong setting in readable form', async () => {
    expect(await run({ PORT: 'x', LOG_LEVEL: 'loud' })).toEqual({
      codes: [1],
      text: [
        'worker could not start: 2 settings are wrong:',
        '  PORT must be a whole number from 0 to 65535 (default: 8080)',
        '  LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent (default: info)\n',
      ].join('\n'),
    });
  });

  test('ends with 1 if its port is in use, with nothing left open', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { text, codes } = await run({
      ...environment,
      HEALTH_PORT: String((other.address() as AddressInfo).port),
    });
    expect(codes).toEqual([1]);
    expect(text).toMatch(/^worker could not start: Error: listen EADDRINUSE/);
    expect(story.at(-1)).toBe('connection closed');
    other.close();
    await once(other, 'close');
  });
});
