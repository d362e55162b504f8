/**
 * The prefixes of the keys, one for each shard: `{feedmesh}` alone, or `{feedmesh:0}`, `{feedmesh:1}`…. What
 * is in braces is what a cluster goes by: all keys of a shard are on one node.
 */
export function shardPrefixes(prefix: string, shards: number): string[] {
  if (shards === 1) return [prefix];
  const [name, end] = prefix.endsWith('}') ? [prefix.slice(0, -1), '}'] : [prefix, ''];
  return Array.from({ length: shards }, (_, shard) => `${name}:${shard}${end}`);
}
