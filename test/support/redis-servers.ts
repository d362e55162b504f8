import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '#databases';
import { redis as redisServer } from '../../tools/databases/providers/server.ts';
import { realProgram } from '../launcher/programs.ts';
import { ServerProcess } from './server-process.ts';
import { until } from './until.ts';
import { dataFolder } from './data-folder.ts';

/** A Redis server or a Sentinel of the test's own, on loopback. */
export class RedisServer extends ServerProcess {
  readonly port: number;
  /** For questions about it; not to be closed. */
  readonly client: Redis;
  readonly #folder: string;

  private constructor(port: number, folder: string, client: Redis) {
    super();
    this.port = port;
    this.#folder = folder;
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
    const folder = await dataFolder('redis-server-');
    const configuration = join(folder, 'redis.conf');
    const listening = lines.some((line) => line.startsWith('tls-port')) ? 'port 0' : `port ${at}`;
    await writeFile(configuration, [listening, ...common, `dir ${folder}`, ...lines, ''].join('\n'));
    const client = connect(at);
    client.on('error', () => {});
    const server = new RedisServer(at, folder, client);
    try {
      await server.run(await realProgram(redisServer), [configuration, ...mode]);
      await until(async () => (await client.ping().catch(() => '')) === 'PONG');
      return server;
    } catch (error) {
      await server.end();
      throw error;
    }
  }

  /** As a crash: SIGKILL. */
  override async kill(): Promise<void> {
    this.client.disconnect();
    await super.kill();
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Without a title, which would replace the environment by which a run finds what it has started. */
const common = ['bind 127.0.0.1', 'set-proc-title no'];

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
 * @param announce gives the port at which clients find a node that listens on the given one
 */
export async function startCluster(
  timeout: number,
  announce: (port: number) => Promise<number> = async (port) => port,
): Promise<RedisServer[]> {
  const buses = [await freePort(), await freePort(), await freePort()];
  const nodes = await Promise.all(
    buses.map(async (bus) => {
      const port = await freePort();
      const announced = `cluster-announce-port ${await announce(port)}`;
      return RedisServer.start([...inMemory, ...inCluster(timeout, bus), announced], { port });
    }),
  );
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

/**
 * Adds a replica of a node to its cluster, and waits until it has what its master has. It takes over only
 * once it is let, so that a test can see the cluster without this master for as long as it looks.
 */
export async function addReplica(master: RedisServer, timeout: number): Promise<RedisServer> {
  const bus = await freePort();
  const replica = await startRedis(
    ...inCluster(timeout, bus),
    'cluster-replica-no-failover yes',
    // However long it has had no master by then.
    'cluster-replica-validity-factor 0',
  );
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

/** Lets replicas of a cluster take over from their master once it has failed. */
export async function letTakeOver(replicas: readonly RedisServer[]): Promise<void> {
  for (const { client } of replicas) await client.config('SET', 'cluster-replica-no-failover', 'no');
}

/** A master, its two replicas, and a Sentinel that alone decides on a failover. */
export interface SentinelGroup {
  readonly master: RedisServer;
  readonly replicas: readonly RedisServer[];
  readonly sentinel: RedisServer;
  /** Lets one of the replicas take over once the master has failed; before that, none does. */
  letTakeOver(): Promise<void>;
  end(): Promise<void>;
}

/**
 * @param name by which the Sentinel knows the master
 * @param announce gives the port at which the Sentinel and clients find the master
 */
export async function startSentinelGroup(
  name: string,
  announce: (port: number) => Promise<number> = async (port) => port,
): Promise<SentinelGroup> {
  const master = await startRedis();
  const port = await announce(master.port);
  // A Sentinel promotes no replica of priority 0.
  const settings = [`replicaof 127.0.0.1 ${master.port}`, 'replica-priority 0'];
  const replicas = await Promise.all([startRedis(...settings), startRedis(...settings)]);
  for (const { client } of replicas)
    await until(async () => /master_link_status:up/.test(await client.info('replication')));
  const sentinel = await RedisServer.start(
    [
      `sentinel monitor ${name} 127.0.0.1 ${port} 1`,
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
    async letTakeOver() {
      for (const { client } of replicas) await client.config('SET', 'replica-priority', '100');
    },
    async end() {
      await Promise.all([master, ...replicas, sentinel].map((server) => server.end()));
    },
  };
}
