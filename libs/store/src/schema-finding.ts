import { isDeepStrictEqual } from 'node:util';

/** The fields of an index or a shard key, in their order. */
export type IndexKey = Readonly<Record<string, unknown>>;

/** An index, as far as it decides what is found, kept apart or removed by it. */
export interface IndexDescription {
  readonly key: IndexKey;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly expireAfterSeconds?: number;
  readonly partialFilterExpression?: object;
}

/** What is wrong with the indexes or the shard key of a collection of MongoDB. */
export type SchemaFinding =
  | { readonly problem: 'missing-index'; readonly collection: string; readonly index: IndexDescription }
  | {
      readonly problem: 'wrong-shard-key';
      readonly collection: string;
      readonly shardKey: IndexKey;
      /** The key by which it may be sharded; absent if it must not be. */
      readonly expected?: IndexKey;
    }
  | {
      /** Shards keep a key unique each for itself, unless it begins with the shard key. */
      readonly problem: 'unique-across-shards';
      readonly collection: string;
      readonly shardKey: IndexKey;
      readonly index: IndexDescription;
    };

/** The collections that may be sharded, and by what: the table of docs/scaling.md. */
export const shardKeys: Readonly<Record<string, IndexKey>> = {
  items: { _id: 1 },
  changes: { _id: 1 },
  'contents.chunks': { files_id: 1, n: 1 },
};

/** A collection: the indexes that it needs, those that it has, and how it is sharded. */
export interface ExaminedCollection {
  readonly collection: string;
  readonly needed: readonly IndexDescription[];
  /** Absent if they are unknown. */
  readonly found?: readonly IndexDescription[];
  /** Absent if it is not sharded, or that is unknown. */
  readonly shardKey?: IndexKey;
}

/** What is wrong with a collection. */
export function schemaFindings({ collection, needed, found, shardKey }: ExaminedCollection): SchemaFinding[] {
  const missing = needed.filter((index) => found?.some((one) => isSame(one, index)) === false);
  return [
    ...missing.map((index) => ({ problem: 'missing-index', collection, index }) as const),
    ...(shardKey === undefined ? [] : shardFindings(collection, needed, shardKey)),
  ];
}

function shardFindings(
  collection: string,
  needed: readonly IndexDescription[],
  shardKey: IndexKey,
): SchemaFinding[] {
  const expected = shardKeys[collection];
  const apart = needed.filter(({ unique, key }) => unique === true && !beginsWith(key, shardKey));
  return [
    ...(expected !== undefined && isSameKey(expected, shardKey)
      ? []
      : [{ problem: 'wrong-shard-key', collection, shardKey, ...(expected && { expected }) } as const]),
    ...apart.map((index) => ({ problem: 'unique-across-shards', collection, shardKey, index }) as const),
  ];
}

/** Whether MongoDB can keep the key unique in a collection with this shard key. */
function beginsWith(key: IndexKey, shardKey: IndexKey): boolean {
  const length = Object.keys(shardKey).length;
  return isSameKey(Object.fromEntries(Object.entries(key).slice(0, length)), shardKey);
}

function isSame(one: IndexDescription, other: IndexDescription): boolean {
  return (
    isSameKey(one.key, other.key) &&
    (one.unique ?? false) === (other.unique ?? false) &&
    (one.sparse ?? false) === (other.sparse ?? false) &&
    one.expireAfterSeconds === other.expireAfterSeconds &&
    isDeepStrictEqual(one.partialFilterExpression, other.partialFilterExpression)
  );
}

/** The order of the fields counts. */
function isSameKey(one: IndexKey, other: IndexKey): boolean {
  return isDeepStrictEqual(Object.entries(one), Object.entries(other));
}
