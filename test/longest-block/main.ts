import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '#databases';
import { services as builtServices } from '../../apps/standalone/src/service.ts';
import { Installation } from '../bench/feedmesh/installation.ts';
import { Blocks } from './blocks.ts';
import { bodyInputs } from './inputs/index.ts';
import { InstallationWorld } from './world.ts';

/** Milliseconds of processor time that one request or document may block an event loop. */
const limit = 100;

const { REDIS_URL: redisUrl, MONGODB_URI: mongodbUri } = process.env;
if (!redisUrl || !mongodbUri)
  throw new Error('REDIS_URL and MONGODB_URI must be set; npm run longest-block does so.');

const [pattern = ''] = process.argv.slice(2);
const blocks = new Blocks(mkdtempSync(join(tmpdir(), 'feedmesh-blocks-')));
const probe = fileURLToPath(new URL('probe.js', import.meta.url));
const services = builtServices.map(({ command: [program, ...args], ...service }) => ({
  ...service,
  command: [program, '--import', probe, ...args] as const,
}));
const names = services.map(({ name }) => name);
const port = await freePort();
const installation = await Installation.start({
  redisUrl,
  mongodbUri,
  database: `blocks-${randomBytes(4).toString('hex')}`,
  services,
  environment: {
    LONGEST_BLOCK_FOLDER: blocks.folder,
    AUTH: 'none',
    AUDIT: 'on',
    PORT: `${port}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    WEBSUB: 'on',
    WEBSUB_SCHEDULE_MS: '100',
  },
});
const world = await InstallationWorld.open(installation.url, settled);
const over: string[] = [];
let isInterrupted = false;
// Ctrl-C reaches this process by itself, and is passed on to it too: the input in progress is the last one.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => void (isInterrupted = true));
try {
  for (const input of bodyInputs.filter(({ name }) => name.includes(pattern))) {
    if (isInterrupted) break;
    blocks.reset(names);
    let failure = '';
    await input.send(world).catch((error: unknown) => (failure = ` (${String(error)})`));
    const longest = names.map((name) => [name, blocks.longest(name)] as const);
    const cells = longest.map(([name, time]) => `${name} ${time.toFixed(0)}${time > limit ? '!' : ''}`);
    process.stdout.write(`${input.name}: ${cells.join(', ')}${failure}\n`);
    if (longest.some(([, time]) => time > limit)) over.push(input.name);
  }
} finally {
  await world.close();
  await installation.stop();
  rmSync(blocks.folder, { recursive: true, force: true });
}
process.stdout.write(`${over.length} inputs block an event loop for more than ${limit} ms\n`);
process.exitCode = over.length === 0 && !isInterrupted ? 0 : 1;

/** The times of a fetch, as a subscription is stored. */
interface StoredSubscription {
  readonly collection: string;
  readonly result?: string;
  readonly last?: { readonly at: Date };
  readonly succeededAt?: Date;
}

/** Whether the only subscription of a collection was fetched after a time, and the items are published. */
async function settled(collection: string, after: Date): Promise<boolean> {
  const { connection } = installation;
  const subscription = await connection
    .collection<StoredSubscription>('subscriptions')
    .findOne({ collection });
  if (subscription?.result === undefined) return false;
  const fetchedAt = Math.max(Number(subscription.last?.at ?? 0), Number(subscription.succeededAt ?? 0));
  if (fetchedAt < after.getTime()) return false;
  return (await connection.collection('items').countDocuments({ collection, pending: true })) === 0;
}
