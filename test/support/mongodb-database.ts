import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';

/**
 * The databases that earlier files of this worker have left. Modules below test/ are loaded anew for each
 * file, so that the list is none of theirs.
 */
const left: string[] = (Reflect.get(globalThis, Symbol.for('feedmesh.left-databases')) ?? []) as string[];
Reflect.set(globalThis, Symbol.for('feedmesh.left-databases'), left);

/** With more documents than this, it is faster to create another database. */
const fewDocuments = 3000;

/** What the names begin with of all databases that this run leaves (`name-run.mjs`). */
const prefix = process.env['FEEDMESH_TEST_DATABASES'] ?? '';

/**
 * The address of an empty database that nothing else uses at the same time. On the tests' own server it is
 * one that an earlier file has left, with its collections and indexes, if there is one: MongoDB keeps the
 * files of a dropped database open for minutes, 60 of each, and a whole run has hundreds of databases.
 * @param server an address with any database
 */
export async function ownMongodbDatabase(server = process.env['MONGODB_URI'] ?? ''): Promise<string> {
  const uri = new URL(server);
  const name = isShared(server) ? left.pop() : undefined;
  uri.pathname = `/${name ?? `${prefix}${randomBytes(8).toString('hex')}`}`;
  if (name !== undefined) await onMongodbDatabase(uri.href, empty);
  return uri.href;
}

/**
 * Leaves a database to the files that follow, or drops it if it is large or on a server of the test's own.
 * @param options how to connect to that server
 */
export async function leaveMongodbDatabase(
  uri: string,
  options: mongoose.mongo.MongoClientOptions = {},
): Promise<void> {
  await onMongodbDatabase(
    uri,
    async (database) => {
      const { databaseName } = database;
      if (isShared(uri) && databaseName.startsWith(prefix) && (await isSmall(database)))
        left.push(databaseName);
      else await database.dropDatabase();
    },
    options,
  );
}

/** An address of several servers is no URL. */
function isShared(uri: string): boolean {
  return serversOf(uri) === serversOf(process.env['MONGODB_URI'] ?? '');
}

function serversOf(uri: string): string | undefined {
  return /^mongodb:\/\/([^/]+)/.exec(uri)?.[1];
}

async function isSmall(database: mongoose.mongo.Db): Promise<boolean> {
  const { objects } = await database.command({ dbStats: 1 });
  return Number(objects) < fewDocuments;
}

/** Removes the documents, but not the row that tells which indexes there are, and the cached plans. */
async function empty(database: mongoose.mongo.Db): Promise<void> {
  await database.command({ profile: 0 });
  const collections = await database.listCollections({}, { nameOnly: true }).toArray();
  await Promise.all(
    collections.map(async ({ name }) => {
      if (name === 'schema') return;
      if (name.startsWith('system.')) await database.dropCollection(name);
      else {
        await database.collection(name).deleteMany({}, { writeConcern: { w: 'majority' } });
        await database.command({ planCacheClear: name });
      }
    }),
  );
}

/** Works on the database that an address names. */
export async function onMongodbDatabase<Result>(
  uri: string,
  work: (database: mongoose.mongo.Db) => Promise<Result>,
  options: mongoose.mongo.MongoClientOptions = {},
): Promise<Result> {
  const client = await new mongoose.mongo.MongoClient(uri, options).connect();
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}
