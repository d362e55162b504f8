import mongoose from 'mongoose';
import type { Password } from './password.ts';

const replicaSet = 'feedmesh';

/** The command line of a private MongoDB: on loopback, the one member of its replica set. */
export function mongodbCommand(
  program: string,
  port: number,
  folder: string,
  password?: Password,
): [string, ...string[]] {
  const network = ['--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
  // Without users, MongoDB would let everyone on this machine create the first one.
  const noBypass = ['--setParameter', 'enableLocalhostAuthBypass=0'];
  const access = password ? ['--keyFile', password.file, ...noBypass] : [];
  return [program, '--dbpath', folder, ...network, '--replSet', replicaSet, '--oplogSize', '512', ...access];
}

/**
 * The connection string of a private MongoDB. The key of the members is the password of the user `__system`,
 * which every MongoDB has: there is no user to create, also with the data of an earlier version.
 */
export function mongodbAddress(port: number, password?: Password): string {
  const user = password ? `__system:${encodeURIComponent(password.text)}@` : '';
  const source = password ? '&authSource=local' : '';
  return `mongodb://${user}127.0.0.1:${port}/feedmesh?directConnection=true${source}`;
}

interface Hello {
  readonly setName?: string;
  readonly msg?: string;
  readonly isWritablePrimary?: boolean;
}

/**
 * Whether a replica set (or a sharded cluster) answers at this address. Throws if it can't be reached or
 * is a lone server.
 */
export async function mongodbAnswers(uri: string): Promise<boolean> {
  return withAdmin(uri, async (admin) => {
    const { setName, msg, isWritablePrimary } = (await admin.command({ hello: 1 })) as Hello;
    if (setName === undefined && msg !== 'isdbgrid') throw new Error('it is not a member of a replica set');
    return isWritablePrimary === true;
  });
}

/**
 * Makes the private MongoDB on this port a replica set of one, or gives an existing one its new port, and
 * answers whether it takes writes by now. May be called again and again.
 */
export async function bringUpReplicaSet(port: number, password?: Password): Promise<boolean> {
  return withAdmin(mongodbAddress(port, password), async (admin) => {
    const host = `127.0.0.1:${port}`;
    const config = await currentConfig(admin);
    if (!config) {
      await admin.command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } });
    } else if (config.members[0]?.host !== host) {
      const members = [{ ...config.members[0], host }];
      await admin.command({
        replSetReconfig: { ...config, version: config.version + 1, members },
        force: true,
      });
    }
    return ((await admin.command({ hello: 1 })) as Hello).isWritablePrimary === true;
  });
}

interface ReplicaSetConfig {
  readonly version: number;
  readonly members: readonly { readonly host: string }[];
}

async function currentConfig(admin: mongoose.mongo.Db): Promise<ReplicaSetConfig | undefined> {
  try {
    return ((await admin.command({ replSetGetConfig: 1 })) as { config: ReplicaSetConfig }).config;
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NotYetInitialized') return undefined;
    throw error;
  }
}

async function withAdmin<T>(uri: string, work: (admin: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 2000 });
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}
