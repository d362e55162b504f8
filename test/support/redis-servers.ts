import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#databases';
import { redis as redisServer } from '../../tools/databases/providers/server.ts';
import { realProgram } from '../launcher/programs.ts';
import { until } from './until.ts';

/** A Redis server or a Sentinel of the test's own, on loopback. */
export class RedisServer {
  readonly port: number;
  /** For questions about it; not to be closed. */
  readonly client: Redis;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(port: number, folder: string, child: ChildProcess, client: Redis) {
    this.port = port;
    this.#folder = folder;
    this.#child = child;
    this.client = client;
  }

  /**
   * Starts one with these lines of configuration, and waits until it responds.
   * @param port on which it listens, also if the lines say so in another way
   * @param connect makes the client, if it needs more than the port
   */
  static async start(
    lines: readonly string[],
    {
      port,
      mode = [],
      connect = (at) => new Redis(at, '127.0.0.1', patient),
    }: {
      readonly port?: number;
      readonly mode?: readonly string[];
      readonly connect?: (port: number) => Redis;
    } = {},
  ): Promise<RedisServer> {
    const at = port ?? (await freePort());
    const folder = await mkdtemp(join(tmpdir(), 'redis-server-'));
    const configuration = join(folder, 'redis.conf');
    const listening = lines.some((line) => line.startsWith('tls-port')) ? 'port 0' : `port ${at}`;
    await writeFile(configuration, [listening, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
    const child = spawn(await realProgram(redisServer), [configuration, ...mode], { stdio: 'ignore' });
    const client = connect(at);
    client.on('error', () => {});
    const server = new RedisServer(at, folder, child, client);
    try {
      await once(child, 'spawn');
      await until(async () => (await client.ping().catch(() => '')) === 'PONG');
      return server;
    } catch (error) {
      await server.end();
      throw error;
    }
  }

  /** As a crash: SIGKILL. */
  async kill(): Promise<void> {
    this.client.disconnect();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** How a client waits for a server that has just been started. */
export const patient = { maxRetriesPerRequest: null, retryStrategy: () => 20 };

/** Nothing is kept on disk: these servers are not started again. */
const inMemory = ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0'];

/** A single server. */
export function startRedis(...lines: readonly string[]): Promise<RedisServer> {
  return RedisServer.start([...inMemory, ...lines]);
}

/**
 * A cluster of three masters without replicas.
 * @param timeout milliseconds after which a node that says nothing counts as failed
 */
export async function startCluster(timeout: number): Promise<RedisServer[]> {
  const buses = [await freePort(), await freePort(), await freePort()];
  const nodes = await Promise.all(buses.map((bus) => startRedis(...inCluster(timeout, bus))));
  const share = Math.ceil(16_384 / nodes.length);
  await Promise.all(
    nodes.map(async ({ client }, index) => {
      await client.call('CLUSTER', 'ADDSLOTSRANGE', index * share, Math.min((index + 1) * share, 16_384) - 1);
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    }),
  );
  for (const [index, { port }] of nodes.entries())
    if (index > 0) await nodes[0]?.client.call('CLUSTER', 'MEET', '127.0.0.1', port, buses[index] ?? 0);
  for (const { client } of nodes)
    await until(async () => /cluster_state:ok[^]*cluster_size:3/.test(await client.cluster('INFO')));
  return nodes;
}

/** The settings of a node. Replicas stay with their master, although others have none. */
function inCluster(timeout: number, bus: number): string[] {
  return [
    'cluster-enabled yes',
    `cluster-node-timeout ${timeout}`,
    `cluster-port ${bus}`,
    'cluster-allow-replica-migration no',
  ];
}

/** Adds a replica of a node to its cluster, and waits until it can take over. */
export async function addReplica(master: RedisServer, timeout: number): Promise<RedisServer> {
  const bus = await freePort();
  const replica = await startRedis(...inCluster(timeout, bus));
  await master.client.call('CLUSTER', 'MEET', '127.0.0.1', replica.port, bus);
  const id = await master.client.cluster('MYID');
  await until(async () => {
    const outcome = replica.client.call('CLUSTER', 'REPLICATE', id);
    return outcome.then(
      () => true,
      () => false,
    );
  });
  await until(async () => /master_link_status:up/.test(await replica.client.info('replication')));
  await until(async () => /cluster_state:ok[^]*cluster_size:3/.test(await replica.client.cluster('INFO')));
  return replica;
}

/** A master, its two replicas, and a Sentinel that alone decides on a failover. */
export interface SentinelGroup {
  readonly master: RedisServer;
  readonly replicas: readonly RedisServer[];
  readonly sentinel: RedisServer;
  end(): Promise<void>;
}

/** @param name by which the Sentinel knows the master */
export async function startSentinelGroup(name: string): Promise<SentinelGroup> {
  const master = await startRedis();
  const replicaOf = `replicaof 127.0.0.1 ${master.port}`;
  const replicas = await Promise.all([startRedis(replicaOf), startRedis(replicaOf)]);
  for (const { client } of replicas)
    await until(async () => /master_link_status:up/.test(await client.info('replication')));
  const sentinel = await RedisServer.start(
    [
      `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
      `sentinel down-after-milliseconds ${name} 1000`,
      `sentinel failover-timeout ${name} 5000`,
    ],
    { mode: ['--sentinel'] },
  );
  // Only then can it promote one.
  await until(
    async () =>
      ((await sentinel.client.call('SENTINEL', 'REPLICAS', name)) as unknown[]).length === replicas.length,
  );
  return {
    master,
    replicas,
    sentinel,
    async end() {
      await Promise.all([master, ...replicas, sentinel].map((server) => server.end()));
    },
  };
}
