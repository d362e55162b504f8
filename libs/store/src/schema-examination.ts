import mongoose from 'mongoose';
import type { Connection, mongo } from 'mongoose';
import { schemaVersion } from './schema-version.ts';
import type { SchemaRow } from './schema-version.ts';
import { schemaFindings } from './schema-finding.ts';
import type { IndexDescription, IndexKey, SchemaFinding } from './schema-finding.ts';

/** What is wrong with the indexes and shard keys of the database. */
export interface SchemaReport {
  readonly findings: readonly SchemaFinding[];
  /** What could not be examined, and why, a sentence each. */
  readonly unknown: readonly string[];
}

/** MongoDB's codes for a right that the user lacks, and for a collection that does not exist. */
const codes = { unauthorized: 13, noCollection: 26 } as const;

/** Compares indexes and shard keys of the database with those that the store needs. */
export class SchemaExamination {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Returns what is wrong. Indexes of a database that a newer version of Feedmesh has prepared are not
   * compared: it may need others.
   */
  async examine(): Promise<SchemaReport> {
    const unknown: string[] = [];
    const database = this.#database();
    const row = await database.collection<SchemaRow>('schema').findOne({ _id: 'schema' });
    const isNewer = (row?.version ?? 0) > schemaVersion.version;
    if (isNewer) unknown.push('indexes: the database has the schema of a newer version of Feedmesh');
    const keys = await this.#shardKeys(unknown);
    const findings: SchemaFinding[] = [];
    for (const { collection, needed } of this.#needed()) {
      const found = isNewer ? undefined : await this.#indexes(collection, unknown);
      const shardKey = keys.get(collection);
      findings.push(
        ...schemaFindings({
          collection,
          needed,
          ...(found !== undefined && { found }),
          ...(shardKey !== undefined && { shardKey }),
        }),
      );
    }
    return { findings, unknown };
  }

  /** Creates an index. Throws `MongoServerError` if MongoDB refuses it. */
  async createIndex(collection: string, { key, ...options }: IndexDescription): Promise<void> {
    await this.#database()
      .collection(collection)
      .createIndex(key as mongo.IndexSpecification, options);
  }

  #database(): mongo.Db {
    const { db } = this.#connection;
    if (db === undefined) throw new Error('the store is not open');
    return db;
  }

  #needed(): { readonly collection: string; readonly needed: readonly IndexDescription[] }[] {
    return Object.values(this.#connection.models).map((model) => ({
      collection: model.collection.collectionName,
      needed: model.schema
        .indexes()
        .map(([key, options]) => describe({ ...options, key } as IndexDescription)),
    }));
  }

  async #indexes(collection: string, unknown: string[]): Promise<IndexDescription[] | undefined> {
    try {
      const indexes = await this.#database().collection(collection).indexes();
      return indexes.map((index) => describe(index as IndexDescription));
    } catch (error) {
      if (hasCode(error, codes.noCollection)) return [];
      if (!hasCode(error, codes.unauthorized)) throw error;
      unknown.push(`indexes of ${collection}: the user in MONGODB_URI lacks the right listIndexes`);
      return undefined;
    }
  }

  /** The key of each sharded collection; none if this is no sharded cluster. */
  async #shardKeys(unknown: string[]): Promise<ReadonlyMap<string, IndexKey>> {
    const database = this.#database();
    const hello = await database.admin().command({ hello: 1 });
    if (hello['msg'] !== 'isdbgrid') return new Map();
    try {
      const rows = await this.#connection
        .getClient()
        .db('config')
        .collection<ShardedCollection>('collections')
        .find({ _id: { $gte: `${database.databaseName}.`, $lt: `${database.databaseName}/` } })
        .toArray();
      return new Map(
        rows
          .filter(({ dropped, unsplittable }) => dropped !== true && unsplittable !== true)
          .map(({ _id, key }) => [_id.slice(database.databaseName.length + 1), key]),
      );
    } catch (error) {
      if (!hasCode(error, codes.unauthorized)) throw error;
      unknown.push('shard keys: the user in MONGODB_URI lacks the right find on config.collections');
      return new Map();
    }
  }
}

/** A row of `config.collections`, which a mongos shows. */
interface ShardedCollection {
  readonly _id: string;
  readonly key: IndexKey;
  /** Of MongoDB before 5.0: it is no longer there. */
  readonly dropped?: boolean;
  /** Of MongoDB from 8.0: it is listed although it is not sharded. */
  readonly unsplittable?: boolean;
}

function describe({
  key,
  unique,
  sparse,
  expireAfterSeconds,
  partialFilterExpression,
}: IndexDescription): IndexDescription {
  return {
    key,
    ...(unique !== undefined && { unique }),
    ...(sparse !== undefined && { sparse }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    ...(partialFilterExpression !== undefined && { partialFilterExpression }),
  };
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof mongoose.mongo.MongoServerError && error.code === code;
}
