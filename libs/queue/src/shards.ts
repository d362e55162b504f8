import { crc32 } from 'node:zlib';
import type { CollectionKey } from '#core';

/**
 * The prefixes of the keys, one for each shard: `{feedmesh}` alone, or `{feedmesh:0}`, `{feedmesh:1}`…. What
 * is in braces is what a cluster goes by: all keys of a shard are on one node.
 */
export function shardPrefixes(prefix: string, shards: number): string[] {
  if (shards === 1) return [prefix];
  const [name, end] = prefix.endsWith('}') ? [prefix.slice(0, -1), '}'] : [prefix, ''];
  return Array.from({ length: shards }, (_, shard) => `${name}:${shard}${end}`);
}

/** The shard that a collection's jobs go to: the CRC-32 of its name modulo the number of shards. */
export function shardOf(collection: CollectionKey, shards: number): number {
  return crc32(collection) % shards;
}
