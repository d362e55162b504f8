import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import mongoose from 'mongoose';
import { freePort, openThrowaway, readLimits } from '#databases';
import { startInstance } from '../../apps/standalone/src/instance.ts';
import type { Service } from '../../apps/standalone/src/service.ts';
import { sampleFeed } from './sample-feed.ts';

/** How one first sync went. */
export interface FirstSync {
  /** From the request to subscribe to the last event on the stream. */
  readonly seconds: number;
  /** The highest resident set of each service, in MB, by name. */
  readonly peakMemory: Readonly<Record<string, number>>;
  /** The processor time that each service took meanwhile, in seconds, by name. */
  readonly processorTime: Readonly<Record<string, number>>;
}

/** How many items the feed has that goes first. */
const warmUpItems = 3000;

export interface FirstSyncSettings {
  readonly redisUrl: string;
  readonly mongodbUri: string;
  readonly items: number;
  /** The built services, if they are not beside this file. */
  readonly services?: readonly Service[];
}

/**
 * Runs the four services on empty databases, subscribes a collection to a feed of `items` items over HTTP,
 * and waits until all are merged, published, and their events relayed. A small feed goes first, into another
 * collection: services that have just been started spend their time compiling.
 */
export async function measureFirstSync({
  redisUrl,
  mongodbUri,
  items,
  services,
}: FirstSyncSettings): Promise<FirstSync> {
  const run = `bench-${randomBytes(4).toString('hex')}`;
  const log = (): void => undefined;
  const feeds = new Map([items, warmUpItems].map((count) => [`/${count}`, inPieces(sampleFeed(count, run))]));
  const source = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', 'application/atom+xml; charset=utf-8');
    Readable.from(feeds.get(url) ?? []).pipe(response);
  });
  await new Promise<void>((listening) => source.listen(0, '127.0.0.1', listening));
  const limits = readLimits(process.env);
  const register = await openThrowaway(
    resolve(process.env['FEEDMESH_DATA'] || '.feedmesh'),
    log,
    limits.stop,
  );
  const connection = await mongoose.createConnection(mongodbUri, { dbName: run }).asPromise();
  const PORT = String(await freePort());
  const environment = {
    ...process.env,
    PORT,
    REDIS_URL: redisUrl,
    MONGODB_URI: withDatabase(mongodbUri, run),
    FETCH_ALLOW_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
  const instance = await startInstance({
    name: run,
    environment,
    register,
    limits,
    log,
    signal: new AbortController().signal,
    ...(services && { services }),
  });
  try {
    const { port } = source.address() as AddressInfo;
    const sync = async (collection: string, count: number): Promise<number> => {
      await put(`${instance.url}/v1/collections/${collection}`, { format: 'atom' });
      const startedAt = performance.now();
      await put(`${instance.url}/v1/collections/${collection}/subscriptions/source`, {
        url: `http://127.0.0.1:${port}/${count}`,
      });
      await until(async () => {
        const document = await connection
          .collection<{ _id: string; publication?: { relayed: number } }>('collections')
          .findOne({ _id: collection });
        return (document?.publication?.relayed ?? 0) >= count;
      });
      return (performance.now() - startedAt) / 1000;
    };
    await sync('warm-up', warmUpItems);
    const before = processorTimes(instance.processes);
    const seconds = await sync(run, items);
    const processorTime = Object.fromEntries(
      Object.entries(processorTimes(instance.processes)).map(([name, time]) => [
        name,
        time - (before[name] ?? 0),
      ]),
    );
    const peakMemory = Object.fromEntries(
      Object.entries(instance.processes).map(([name, pid]) => [name, peakMegabytes(pid)]),
    );
    return { seconds, peakMemory, processorTime };
  } finally {
    await instance.stop();
    source.close();
    await connection.dropDatabase();
    await connection.close();
    rmSync(register.folder, { recursive: true, force: true });
  }
}

/** The feed's bytes, made before the clock starts. */
function inPieces(texts: Iterable<string>): Buffer[] {
  const pieces: Buffer[] = [];
  let text = '';
  for (const next of texts) {
    text += next;
    if (text.length < 65_536) continue;
    pieces.push(Buffer.from(text));
    text = '';
  }
  return [...pieces, Buffer.from(text)];
}

async function put(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`PUT ${url} answered ${response.status}: ${await response.text()}`);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('the first sync did not end within 600 s');
    await new Promise((next) => setTimeout(next, 50));
  }
}

function withDatabase(uri: string, name: string): string {
  const url = new URL(uri);
  url.pathname = `/${name}`;
  return url.href;
}

/** The highest resident set of a process so far, in MB; 0 if the system does not tell. */
function peakMegabytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** The processor time of each process so far, in seconds; 0 if the system does not tell. */
function processorTimes(processes: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, processorTimeOf(pid)]));
}

/**
 * User and system time, in clock ticks of 10 ms, are the 14th and 15th field; the second one, in brackets,
 * may hold spaces.
 */
function processorTimeOf(pid: number): number {
  try {
    const [user = 0, system = 0] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? [];
    return (user + system) / 100;
  } catch {
    return 0;
  }
}
